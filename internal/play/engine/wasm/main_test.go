// Package main_test gives tools that look only at this folder a package on every platform, because the command itself
// is only for browsers.
package main_test
