package blockgraph

// Widths of the characters from space to tilde, in units of 1/em, taken from Liberation Sans; Helvetica and Arial have
// the same widths. A file and a browser may use different fonts. With its own widths the picture has the same layout in
// both.
const em = 2048

var regular = [...]uint16{
	569, 569, 727, 1139, 1139, 1821, 1366, 391, 682, 682, 797, 1196, 569, 682, 569,
	569,                                                                                          // space ! " # $ % & ' ( ) * + , - . /
	1139, 1139, 1139, 1139, 1139, 1139, 1139, 1139, 1139, 1139, 569, 569, 1196, 1196, 1196, 1139, // 0 to 9 : ; < = > ?
	2079, 1366, 1366, 1479, 1479, 1366, 1251, 1593, 1479, 569, 1024, 1366, 1139, 1706, 1479, 1593, // @ A to O
	1366, 1593, 1479, 1366, 1251, 1479, 1366, 1933, 1366, 1366, 1251, 569, 569, 569, 961, 1139, // P to Z [ \ ] ^ _
	682, 1139, 1139, 1024, 1139, 1139, 569, 1139, 1139, 455, 455, 1024, 455, 1706, 1139, 1139, // ` a to o
	1139, 1139, 682, 1024, 569, 1139, 1024, 1479, 1024, 1024, 1024, 684, 532, 684, 1196, // p to z { | } ~
}

var bold = [...]uint16{
	569, 682, 971, 1139, 1139, 1821, 1479, 487, 682, 682, 797, 1196, 569, 682, 569, 569,
	1139, 1139, 1139, 1139, 1139, 1139, 1139, 1139, 1139, 1139, 682, 682, 1196, 1196, 1196, 1251,
	1997, 1479, 1479, 1479, 1479, 1366, 1251, 1593, 1479, 569, 1139, 1479, 1251, 1706, 1479, 1593,
	1366, 1593, 1479, 1366, 1251, 1479, 1366, 1933, 1366, 1366, 1251, 682, 569, 682, 1196, 1139,
	682, 1139, 1251, 1139, 1251, 1139, 682, 1251, 1251, 569, 569, 1139, 569, 1821, 1251, 1251,
	1251, 1251, 797, 1139, 682, 1251, 1139, 1593, 1139, 1139, 1024, 797, 573, 797, 1196,
}

// The factors by which a fallback font, DejaVu Sans, is wider than these fonts.
const (
	Spare     = 1.18
	SpareBold = 1.26
)

// room returns the width, in points, that text in a box needs, also in a fallback font.
func room(words string, inBold bool) float64 {
	if inBold {
		return float64(SpareBold * width(words, true))
	}
	return float64(Spare * width(words, false))
}

// width returns the width of text in points. Characters without an entry count as one em.
func width(words string, inBold bool) float64 {
	table := &regular
	if inBold {
		table = &bold
	}
	sum := 0
	for _, r := range words {
		if i := int(r) - ' '; i >= 0 && i < len(table) {
			sum += int(table[i])
		} else {
			sum += em
		}
	}
	return float64(sum) * FontSize / em
}

// fitText shortens text if it needs more than the available width.
func fitText(words string, inBold bool, most float64) string {
	for r := []rune(words); len(r) > 1 && room(words, inBold) > most; {
		r = r[:len(r)-1]
		words = string(r) + "…"
	}
	return words
}
