package page

import "io"

// Part is the writer of pages as a part of a program: generated code names it for include: [page].
type Part struct{}

// Part implements compiled.Part.
func (Part) Part() string { return "page" }

// WritePage implements what package app asks for.
func (Part) WritePage(w io.Writer, p *Page) error { return p.Write(w) }
