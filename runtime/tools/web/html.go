package web

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"unicode"
)

// pageText returns the text of an HTML page: headings, paragraphs, lists, tables, links and
// preformatted text in the notation of Markdown, without scripts and styles. Links are resolved
// against base, which may be nil. Markup that is cut or faulty is read as far as possible.
func pageText(page string, base *url.URL) string {
	r := &pageReader{base: base}
	for page != "" {
		at := strings.IndexByte(page, '<')
		if at < 0 {
			r.writeText(page)

			break
		}
		r.writeText(page[:at])
		page = r.readMarkup(page[at:])
	}
	r.endLink()

	return r.out.String()
}

// pageReader writes the text of a page.
type pageReader struct {
	out  strings.Builder
	base *url.URL
	// breaks are the line breaks that come before the next text; space reports whether a space
	// comes before it.
	breaks int
	space  bool
	// prefix begins the next text of a block: the mark of a heading or of an item.
	prefix string
	// pre counts the preformatted elements around.
	pre   int
	lists []pageList
	cells int
	// link is where the link around leads; "" outside of one. linked reports whether its bracket is
	// open.
	link   string
	linked bool
}

// pageList is a list that is open; n counts the items of an ordered one, -1 is for one without an
// order.
type pageList struct{ n int }

// hidden are elements whose content is no text of the page.
var hidden = map[string]bool{
	"script": true, "style": true, "template": true, "svg": true, "iframe": true, "object": true, "canvas": true, "noframes": true,
}

// blocks are elements that begin and end a block, with the line breaks around it.
var blocks = map[string]int{
	"p": 2, "h1": 2, "h2": 2, "h3": 2, "h4": 2, "h5": 2, "h6": 2, "title": 2, "ul": 2, "ol": 2, "dl": 2, "table": 2, "pre": 2, "blockquote": 2,
	"hr": 2, "article": 2, "section": 2, "main": 2, "header": 2, "footer": 2, "nav": 2, "aside": 2, "form": 2, "figure": 2, "fieldset": 2,
	"div": 1, "li": 1, "tr": 1, "dt": 1, "dd": 1, "figcaption": 1, "caption": 1, "address": 1, "details": 1, "summary": 1, "body": 1, "br": 1,
	"option": 1, "textarea": 1,
}

// readMarkup reads the tag, comment or declaration at the beginning of a page, and returns the rest
// of the page.
func (r *pageReader) readMarkup(page string) (rest string) {
	switch {
	case strings.HasPrefix(page, "<!--"):
		return textAfter(page[2:], "-->")
	case strings.HasPrefix(page, "<!"), strings.HasPrefix(page, "<?"):
		return textAfter(page, ">")
	}
	name := strings.TrimPrefix(page[1:], "/")
	if name == "" || !isLetter(name[0]) {
		r.writeText("<")

		return page[1:]
	}
	closes := page[1] == '/'
	end := strings.IndexFunc(name, func(c rune) bool { return c == '>' || c == '/' || unicode.IsSpace(c) })
	if end < 0 {
		return ""
	}
	rest, name = name[end:], strings.ToLower(name[:end])
	attributes, rest, ok := attributesOf(rest, name == "a" || name == "img")
	if !ok {
		return ""
	}
	if closes {
		r.endElement(name)

		return rest
	}
	if hidden[name] {
		return behindElement(rest, name)
	}
	r.beginElement(name, attributes)

	return rest
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// textAfter returns the text after the first end; "" without one.
func textAfter(text, end string) string {
	_, rest, _ := strings.Cut(text, end)

	return rest
}

// behindElement is the text behind the end of an element whose content is passed over.
func behindElement(text, name string) string {
	for {
		_, rest, found := strings.Cut(text, "</")
		if !found {
			return ""
		}
		if len(rest) >= len(name) && strings.EqualFold(rest[:len(name)], name) {
			return textAfter(rest, ">")
		}
		text = rest
	}
}

// attribute is one of a tag, with its name, and its value in quotes or without.
var attribute = regexp.MustCompile(`^[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?`)

// attributesOf reads the attributes of a tag up to its end, if wanted; ok is false if it has none.
func attributesOf(text string, wanted bool) (attributes map[string]string, rest string, ok bool) {
	const most = 50
	attributes = map[string]string{}
	for {
		m := attribute.FindStringSubmatch(text)
		if m == nil {
			break
		}
		text = text[len(m[0]):]
		if wanted && len(attributes) < most {
			attributes[strings.ToLower(m[1])] = html.UnescapeString(m[2] + m[3] + m[4])
		}
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(text, " \t\r\n\f/"), ">")

	return attributes, rest, ok
}

// beginElement begins an element.
func (r *pageReader) beginElement(name string, attributes map[string]string) {
	r.breaks = max(r.breaks, blocks[name])
	switch name {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		r.prefix = strings.Repeat("#", int(name[1]-'0')) + " "
	case "title":
		r.prefix = "# "
	case "blockquote":
		r.prefix = "> "
	case "pre":
		r.pre++
	case "ul":
		r.lists = append(r.lists, pageList{-1})
	case "ol":
		r.lists = append(r.lists, pageList{})
	case "li":
		r.beginItem()
	case "tr":
		r.cells = 0
	case "td", "th":
		r.cells++
		if r.cells > 1 {
			r.writeWord("|", true)
			r.space = true
		}
	case "hr":
		r.writeWord("---", false)
		r.breaks = 2
	case "a":
		r.endLink()
		r.link = r.linkTarget(attributes["href"])
	case "img":
		if alt := strings.Join(strings.Fields(attributes["alt"]), " "); alt != "" {
			r.writeText("[image: " + alt + "]")
		}
	}
}

// beginItem begins an item of the list around.
func (r *pageReader) beginItem() {
	const deepest = 8
	r.prefix = "- "
	depth := len(r.lists)
	if depth == 0 {
		return
	}
	if list := &r.lists[depth-1]; list.n >= 0 {
		list.n++
		r.prefix = fmt.Sprintf("%d. ", list.n)
	}
	r.prefix = strings.Repeat("  ", min(depth-1, deepest)) + r.prefix
}

// endElement ends an element.
func (r *pageReader) endElement(name string) {
	switch name {
	case "a":
		r.endLink()
	case "pre":
		r.pre = max(r.pre-1, 0)
	case "ul", "ol":
		if n := len(r.lists); n > 0 {
			r.lists = r.lists[:n-1]
		}
	case "h1", "h2", "h3", "h4", "h5", "h6", "title", "blockquote", "li":
		r.prefix = ""
	}
	if blocks[name] > 0 {
		r.endLink()
		r.breaks = max(r.breaks, blocks[name])
	}
}

// linkTarget returns where a link leads; "" if a model has no use for that.
func (r *pageReader) linkTarget(href string) string {
	href = strings.TrimSpace(href)
	u, err := url.Parse(href)
	if err != nil || href == "" || href[0] == '#' {
		return ""
	}
	if r.base != nil {
		u = r.base.ResolveReference(u)
	}
	if u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "mailto" {
		return ""
	}

	return u.String()
}

func (r *pageReader) endLink() {
	if r.linked {
		r.out.WriteString("](" + r.link + ")")
	}
	r.link, r.linked = "", false
}

// writeText writes text of the page, with its white space folded unless it is preformatted.
func (r *pageReader) writeText(source string) {
	text := html.UnescapeString(source)
	if r.pre > 0 {
		if strings.TrimSpace(text) == "" && r.breaks > 0 {
			return
		}
		r.writeWord(text, false)

		return
	}
	for text != "" {
		word := strings.TrimLeftFunc(text, unicode.IsSpace)
		r.space = r.space || len(word) < len(text)
		end := strings.IndexFunc(word, unicode.IsSpace)
		if end < 0 {
			end = len(word)
		}
		if end > 0 {
			r.writeWord(word[:end], true)
		}
		text = word[end:]
	}
}

// writeWord writes a word, or preformatted text, with what is before it.
func (r *pageReader) writeWord(text string, word bool) {
	switch {
	case r.out.Len() == 0:
	case r.breaks > 0:
		r.out.WriteString("\n\n"[:min(r.breaks, 2)])
	case r.space && word, word && text == "|":
		r.out.WriteByte(' ')
	}
	r.out.WriteString(r.prefix)
	if r.link != "" && !r.linked {
		r.out.WriteByte('[')
		r.linked = true
	}
	r.breaks, r.space, r.prefix = 0, false, ""
	r.out.WriteString(text)
}
