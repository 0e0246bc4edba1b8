// Package main_test lets tools that look at this folder alone find a package on every
// platform: the command itself is for a browser.
package main_test
