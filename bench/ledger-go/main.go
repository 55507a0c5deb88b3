// Reads the same ledgers as bench/ledger.ts with the ingest readers of go-stellar-sdk, and prints MB/s as JSON.
// Arguments: a file of ledgers (u32 length, bytes, …), the network passphrase, seconds to measure.
// Or, for bench/backfill.ts: `lake`, a file with the paths of a lake's files, the network passphrase. These are read once, on all cores.
package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/stellar/go-stellar-sdk/ingest"
	"github.com/stellar/go-stellar-sdk/support/compressxdr"
	"github.com/stellar/go-stellar-sdk/xdr"
	"golang.org/x/sync/errgroup"
)

func main() {
	if os.Args[1] == "lake" {
		readLake(os.Args[2], os.Args[3])
		return
	}
	file, passphrase := os.Args[1], os.Args[2]
	seconds, err := strconv.ParseFloat(os.Args[3], 64)
	check(err)
	data, err := os.ReadFile(file)
	check(err)
	var ledgers [][]byte
	bytes := 0
	for at := 0; at < len(data); {
		length := int(binary.BigEndian.Uint32(data[at:]))
		ledgers = append(ledgers, data[at+4:at+4+length])
		bytes += length
		at += 4 + length
	}

	// As in ledger.ts: MB/s of the best round, and per second of processor time over all rounds.
	measure := func(read func([]byte) int) rate {
		round := func() (items int) {
			for _, ledger := range ledgers {
				items += read(ledger)
			}
			return items
		}
		result := rate{Items: round()}
		megabytes := float64(bytes) / 1e6
		rounds, started, cpu := 0, time.Now(), cpuSeconds()
		for time.Since(started).Seconds() < seconds {
			before := time.Now()
			round()
			result.Best = max(result.Best, megabytes/time.Since(before).Seconds())
			rounds++
		}
		result.PerCPU = megabytes * float64(rounds) / (cpuSeconds() - cpu)
		return result
	}

	check(json.NewEncoder(os.Stdout).Encode(map[string]rate{
		"decode": measure(func(ledger []byte) int {
			decoded(ledger)
			return 0
		}),
		"transactions": measure(func(ledger []byte) int { return readTransactions(decoded(ledger), passphrase) }),
		"changes":      measure(func(ledger []byte) int { return readChanges(decoded(ledger), passphrase) }),
	}))
}

type rate struct {
	Best   float64 `json:"best"`
	PerCPU float64 `json:"perCpu"`
	Items  int     `json:"items"`
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func decoded(ledger []byte) xdr.LedgerCloseMeta {
	var meta xdr.LedgerCloseMeta
	check(meta.UnmarshalBinary(ledger))
	return meta
}

// Every transaction with the changes and contract events of its operations: what an indexer needs of each.
func readTransactions(meta xdr.LedgerCloseMeta, passphrase string) int {
	reader, err := ingest.NewLedgerTransactionReaderFromLedgerCloseMeta(passphrase, meta)
	check(err)
	events := 0
	for {
		transaction, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return events
		}
		check(err)
		if !transaction.Result.Successful() {
			continue
		}
		_, err = transaction.GetChanges()
		check(err)
		all, err := transaction.GetTransactionEvents()
		check(err)
		for _, operation := range all.OperationEvents {
			events += len(operation)
		}
	}
}

func readChanges(meta xdr.LedgerCloseMeta, passphrase string) int {
	reader, err := ingest.NewLedgerChangeReaderFromLedgerCloseMeta(passphrase, meta)
	check(err)
	changes := 0
	for {
		_, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return changes
		}
		check(err)
		changes++
	}
}

// Each file as of SEP-54 with one ledger or more: unpacked, decoded, and every transaction read with its changes and events.
func readLake(list, passphrase string) {
	paths, err := os.ReadFile(list)
	check(err)
	var ledgers atomic.Int64
	group := new(errgroup.Group)
	group.SetLimit(runtime.NumCPU())
	started, cpu := time.Now(), cpuSeconds()
	for _, path := range strings.Fields(string(paths)) {
		group.Go(func() error {
			file, err := os.Open(path)
			if err != nil {
				return err
			}
			defer file.Close()
			var batch xdr.LedgerCloseMetaBatch
			if _, err := compressxdr.NewXDRDecoder(compressxdr.DefaultCompressor, &batch).ReadFrom(file); err != nil {
				return err
			}
			for _, meta := range batch.LedgerCloseMetas {
				readTransactions(meta, passphrase)
				ledgers.Add(1)
			}
			return nil
		})
	}
	check(group.Wait())
	check(json.NewEncoder(os.Stdout).Encode(map[string]float64{
		"ledgers":    float64(ledgers.Load()),
		"seconds":    time.Since(started).Seconds(),
		"cpuSeconds": cpuSeconds() - cpu,
	}))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
