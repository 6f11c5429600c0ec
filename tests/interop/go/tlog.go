// Reads a published tournament with the libraries of Go's checksum database, which know nothing of this project:
// golang.org/x/mod/sumdb/note opens the checkpoint, golang.org/x/mod/sumdb/tlog the tree. Cosignatures are checked by the
// text of C2SP (c2sp.org/tlog-cosignature, version 1).
//
//	tlog SITE KEY [-witness KEY] [CHECKPOINT...]
//
// CHECKPOINT is an older one of the same tree, which must be a prefix of it. Exit code 1 names what does not hold.
package main

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// The height of tiles that c2sp.org/tlog-tiles fixes.
const height = 8

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tlog:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("expected SITE KEY [-witness KEY] [CHECKPOINT...]")
	}
	site, older := args[0], args[2:]
	key, err := note.NewVerifier(args[1])
	if err != nil {
		return fmt.Errorf("key: %w", err)
	}
	verifiers := []note.Verifier{key}
	if len(older) > 1 && older[0] == "-witness" {
		w, err := newWitness(older[1])
		if err != nil {
			return err
		}
		verifiers, older = append(verifiers, w), older[2:]
	}
	known := note.VerifierList(verifiers...)
	tree, err := readCheckpoint(filepath.Join(site, "checkpoint"), known, len(verifiers))
	if err != nil {
		return err
	}
	reader := tlog.TileHashReader(tree, tiles(site))
	if err := checkEntries(site, tree, reader); err != nil {
		return err
	}
	for _, path := range older {
		before, err := readCheckpoint(path, known, 1)
		if err != nil {
			return err
		}
		proof, err := tlog.ProveTree(tree.N, before.N, reader)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := tlog.CheckTree(proof, tree.N, tree.Hash, before.N, before.Hash); err != nil {
			return fmt.Errorf("%s is no prefix: %w", path, err)
		}
	}
	proofs, err := checkProofs(site, known)
	if err != nil {
		return err
	}
	fmt.Printf("tlog     %d entries, %d proofs, %d older checkpoints, %d keys\n", tree.N, proofs, len(older), len(verifiers))
	return nil
}

// readCheckpoint opens a note that as many of the known keys have signed, and reads its tree.
func readCheckpoint(path string, known note.Verifiers, signed int) (tlog.Tree, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return tlog.Tree{}, err
	}
	tree, err := parseCheckpoint(text, known, signed)
	if err != nil {
		return tlog.Tree{}, fmt.Errorf("%s: %w", path, err)
	}
	return tree, nil
}

func parseCheckpoint(text []byte, known note.Verifiers, signed int) (tlog.Tree, error) {
	opened, err := note.Open(text, known)
	if err != nil {
		return tlog.Tree{}, err
	}
	if len(opened.Sigs) < signed {
		return tlog.Tree{}, fmt.Errorf("%d signatures by known keys, expected %d", len(opened.Sigs), signed)
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 {
		return tlog.Tree{}, fmt.Errorf("%d lines, expected origin, size and root", len(lines)-1)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return tlog.Tree{N: size, Hash: root}, err
}

// tiles reads the tiles of a site, whose paths do not name the height.
type tiles string

func (tiles) Height() int { return height }

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (site tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range wanted {
		path := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", height), "tile/", 1)
		data, err := os.ReadFile(filepath.Join(string(site), path))
		if err != nil {
			return nil, err
		}
		found = append(found, data)
	}
	return found, nil
}

// checkEntries proves each entry of the bundles in the tree.
func checkEntries(site string, tree tlog.Tree, reader tlog.HashReader) error {
	for first := int64(0); first < tree.N; first += 1 << height {
		width := tree.N - first
		if width > 1<<height {
			width = 1 << height
		}
		tile := tlog.Tile{H: height, L: -1, N: first >> height, W: int(width)}
		path := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/data/", height), "tile/entries/", 1)
		bundle, err := os.ReadFile(filepath.Join(site, path))
		if err != nil {
			return err
		}
		for at := first; at < first+width; at++ {
			if len(bundle) < 2 || len(bundle)-2 < int(binary.BigEndian.Uint16(bundle)) {
				return fmt.Errorf("%s: it ends in entry %d", path, at)
			}
			end := 2 + int(binary.BigEndian.Uint16(bundle))
			proof, err := tlog.ProveRecord(tree.N, at, reader)
			if err != nil {
				return fmt.Errorf("entry %d: %w", at, err)
			}
			if err := tlog.CheckRecord(proof, tree.N, tree.Hash, at, tlog.RecordHash(bundle[2:end])); err != nil {
				return fmt.Errorf("entry %d: %w", at, err)
			}
			bundle = bundle[end:]
		}
		if len(bundle) > 0 {
			return fmt.Errorf("%s: %d bytes too many", path, len(bundle))
		}
	}
	return nil
}

// checkProofs checks the proofs beside the logs: each by itself, as a player holds it.
func checkProofs(site string, known note.Verifiers) (int, error) {
	paths, err := filepath.Glob(filepath.Join(site, "games", "*.tlog-proof"))
	if err != nil {
		return 0, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err == nil {
			err = checkProof(text, known)
		}
		if err != nil {
			return 0, fmt.Errorf("%s: %w", path, err)
		}
	}
	return len(paths), nil
}

func checkProof(text []byte, known note.Verifiers) error {
	head, checkpoint, found := bytes.Cut(text, []byte("\n\n"))
	if !found {
		return fmt.Errorf("no checkpoint")
	}
	tree, err := parseCheckpoint(checkpoint, known, 1)
	if err != nil {
		return err
	}
	var fields []string
	for lines := bufio.NewScanner(bytes.NewReader(head)); lines.Scan(); {
		fields = append(fields, lines.Text())
	}
	if len(fields) < 3 || fields[0] != "c2sp.org/tlog-proof@v1" {
		return fmt.Errorf("expected c2sp.org/tlog-proof@v1, extra and index")
	}
	entry, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(fields[1], "extra "))
	if err != nil {
		return err
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(fields[2], "index "), 10, 64)
	if err != nil {
		return err
	}
	var proof tlog.RecordProof
	for _, line := range fields[3:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return err
		}
		proof = append(proof, hash)
	}
	return tlog.CheckRecord(proof, tree.N, tree.Hash, index, tlog.RecordHash(entry))
}

// witness verifies cosignatures of version 1: eight bytes of time in seconds, and an Ed25519 signature over
// "cosignature/v1", that time and the note.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

// The type of the keys of witnesses.
const cosignature = 4

func newWitness(text string) (note.Verifier, error) {
	name, rest, _ := strings.Cut(text, "+")
	_, encoded, found := strings.Cut(rest, "+")
	key, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || !found || len(key) != 1+ed25519.PublicKeySize || key[0] != cosignature {
		return nil, fmt.Errorf("%s is no key of a witness", text)
	}
	digest := sha256.Sum256(append([]byte(name+"\n"), key...))
	hash := binary.BigEndian.Uint32(digest[:])
	if fmt.Sprintf("%s+%08x+%s", name, hash, encoded) != text {
		return nil, fmt.Errorf("%s: its hash is %08x", text, hash)
	}
	return witness{name, hash, ed25519.PublicKey(key[1:])}, nil
}

func (w witness) Name() string    { return w.name }
func (w witness) KeyHash() uint32 { return w.hash }

func (w witness) Verify(message, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", binary.BigEndian.Uint64(signature), message)
	return ed25519.Verify(w.key, []byte(signed), signature[8:])
}
