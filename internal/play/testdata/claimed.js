// The parts of the page that claim to be visible and to show something, with their places in the window.
[...document.querySelectorAll("header, #machine-A, #machine-B, #series-A, #series-B, #strip, #legend, #marks, #clock, #here, #right, #packet, #result, #compared, #calls, #console, #editor, #lesson-text, #blocks-picture, #ends, #doors, .evidence")]
  .filter(e => e.checkVisibility({visibilityProperty: true}) && (e.localName === "canvas" || e.textContent.trim() || e.shadowRoot)).flatMap(e => {
    const {left, top, right, bottom} = e.getBoundingClientRect(), out = e.closest("main > *, footer, header").getBoundingClientRect();
    const x = Math.max(0, left, out.left), y = Math.max(0, top, out.top), w = Math.min(innerWidth, right, out.right) - x, h = Math.min(innerHeight, bottom, out.bottom) - y;
    return w >= 20 && h >= 10 ? [{name: e.id || e.className, place: [x, y, w, h].map(Math.round)}] : [];
  })
