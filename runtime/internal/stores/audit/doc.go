// Package audit keeps the audit log of attempts: who tried what, and what became of it. It is
// located in a folder, is only ever appended to, is on the disk before a result is returned, and is
// chained by hashes, so that a changed, removed or exchanged line is found. What the accepted
// attempts result in, machines and a blackboard, is a [State] that is computed from the log alone.
//
// # The lines
//
// record.jsonl has a JSON object a line, with the fields of [Entry] in this order; but for seq,
// time, kind, result, prev and hash a field is there only if it is not empty:
//
//	seq time kind result id agent identity key from to exit enter error expected version expires value metadata snapshot prev hash
//
// value and metadata are texts; what was JSON before is in them byte for byte (jq -r .value prints
// it). hash, the last field, is the SHA-256, in hexadecimal, of the bytes of the line before
// ,"hash":. Among them is prev, the hash of the line before, which for the first line is 64 zeros.
// So line 7 can be verified without this package, by sed, sha256sum and jq; the two lines that each
// of these pairs prints are equal:
//
//	sed -n 7p record.jsonl | jq -r .hash
//	sed -n 7p record.jsonl | sed 's/,"hash":"[0-9a-f]*"}$//' | tr -d '\n' | sha256sum | cut -d' ' -f1
//
//	sed -n 7p record.jsonl | jq -r .prev
//	sed -n 6p record.jsonl | jq -r .hash
//
// Each line has exactly one spelling: what does not come out of its fields byte for byte is no line
// of an audit log.
//
// A user who can write the file can also write the whole chain again, or cut lines off its end.
// Against that helps a [Head] that was kept elsewhere: an anchor.
package audit
