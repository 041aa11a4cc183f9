package cluster_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/arignote/arignote/cluster/hub"
)

// startHub starts a hub in a folder; address is HOST:PORT, "" for any.
func startHub(t *testing.T, dir, address string) *hub.Hub {
	t.Helper()
	h, err := hub.Start(hub.Options{Dir: dir, Listen: address})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Stop)
	return h
}

func tokenOf(t *testing.T, h *hub.Hub) string {
	t.Helper()
	text, err := os.ReadFile(h.TokenPath())
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// server is JetStream alone, without what this package makes of it.
func server(t *testing.T) (*nats.Conn, jetstream.JetStream) {
	t.Helper()
	h := startHub(t, t.TempDir(), "")
	nc, err := nats.Connect(h.URL(), nats.Token(tokenOf(t, h)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return nc, js
}

func stream(t *testing.T, js jetstream.JetStream, cfg jetstream.StreamConfig) jetstream.Stream {
	t.Helper()
	s, err := js.CreateStream(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func publish(t *testing.T, js jetstream.JetStream, subject, text string, opts ...jetstream.PublishOpt) *jetstream.PubAck {
	t.Helper()
	ack, err := js.Publish(t.Context(), subject, []byte(text), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return ack
}

// next is the message that a consumer hands out now, nil if there is none.
func next(t *testing.T, c jetstream.Consumer, wait time.Duration) jetstream.Msg {
	t.Helper()
	batch, err := c.Fetch(1, jetstream.FetchMaxWait(wait))
	if err != nil {
		t.Fatal(err)
	}
	return <-batch.Messages()
}

// TestJetStream holds the pinned server to what this package leans on.
func TestJetStream(t *testing.T) {
	const wait = 300 * time.Millisecond
	queue := func(t *testing.T, js jetstream.JetStream, most int) (jetstream.Stream, jetstream.Consumer) {
		s := stream(t, js, jetstream.StreamConfig{Name: "Q", Subjects: []string{"q.>"}, Retention: jetstream.WorkQueuePolicy})
		c, err := s.CreateConsumer(t.Context(), jetstream.ConsumerConfig{Durable: "c", AckPolicy: jetstream.AckExplicitPolicy, AckWait: wait, MaxDeliver: most})
		if err != nil {
			t.Fatal(err)
		}
		return s, c
	}
	delivered := func(t *testing.T, m jetstream.Msg) uint64 {
		t.Helper()
		if m == nil {
			t.Fatal("got no message")
		}
		meta, err := m.Metadata()
		if err != nil {
			t.Fatal(err)
		}
		return meta.NumDelivered
	}

	t.Run("a message without an acknowledgement comes again after AckWait, and not before", func(t *testing.T) {
		t.Parallel()
		_, js := server(t)
		_, c := queue(t, js, -1)
		publish(t, js, "q.1", "a")
		if n := delivered(t, next(t, c, time.Second)); n != 1 {
			t.Errorf("got delivery %d, want 1", n)
		}
		start := time.Now()
		m := next(t, c, 10*wait)
		if n := delivered(t, m); n != 2 || time.Since(start) < wait/2 {
			t.Errorf("got delivery %d after %v, want 2 after %v", n, time.Since(start), wait)
		}
	})
	t.Run("InProgress puts it off", func(t *testing.T) {
		t.Parallel()
		_, js := server(t)
		_, c := queue(t, js, -1)
		publish(t, js, "q.1", "a")
		m := next(t, c, time.Second)
		for range 6 {
			time.Sleep(wait / 3)
			if err := m.InProgress(); err != nil {
				t.Fatal(err)
			}
		}
		if again := next(t, c, wait/3); again != nil {
			t.Error("the message came again, though it was in progress")
		}
	})
	t.Run("an acknowledged message of a work queue is gone, one that waits is not", func(t *testing.T) {
		t.Parallel()
		_, js := server(t)
		s, c := queue(t, js, -1)
		publish(t, js, "q.1", "a")
		publish(t, js, "q.2", "b")
		if err := next(t, c, time.Second).DoubleAck(t.Context()); err != nil {
			t.Fatal(err)
		}
		info, err := s.Info(t.Context(), jetstream.WithSubjectFilter("q.>"))
		if err != nil {
			t.Fatal(err)
		}
		if _, kept := info.State.Subjects["q.2"]; !kept || len(info.State.Subjects) != 1 {
			t.Errorf("got %v, want q.2 alone", info.State.Subjects)
		}
	})
	t.Run("after MaxDeliver a message is handed out no more, and stays in the queue", func(t *testing.T) {
		t.Parallel()
		_, js := server(t)
		s, c := queue(t, js, 2)
		publish(t, js, "q.1", "a")
		for want := uint64(1); want <= 2; want++ {
			if n := delivered(t, next(t, c, 10*wait)); n != want {
				t.Errorf("got delivery %d, want %d", n, want)
			}
		}
		if m := next(t, c, 3*wait); m != nil {
			t.Error("it came once more")
		}
		if info, err := s.Info(t.Context()); err != nil || info.State.Msgs != 1 {
			t.Errorf("got %v, %v, want one message", info, err)
		}
	})
	t.Run("a message id is stored once within the window, and again after it", func(t *testing.T) {
		t.Parallel()
		_, js := server(t)
		stream(t, js, jetstream.StreamConfig{Name: "D", Subjects: []string{"d"}, Duplicates: wait})
		if publish(t, js, "d", "a", jetstream.WithMsgID("1")).Duplicate || !publish(t, js, "d", "b", jetstream.WithMsgID("1")).Duplicate {
			t.Error("want the second to be a duplicate, and the first not")
		}
		deadline := time.Now().Add(20 * wait)
		for publish(t, js, "d", "c", jetstream.WithMsgID("1")).Duplicate {
			if time.Now().After(deadline) {
				t.Fatal("the id is a duplicate for ever")
			}
			time.Sleep(wait)
		}
	})
	t.Run("a subject that is to have no message takes one, whatever the ids are", func(t *testing.T) {
		t.Parallel()
		_, js := server(t)
		stream(t, js, jetstream.StreamConfig{Name: "R", Subjects: []string{"r.>"}})
		publish(t, js, "r.1", "a", jetstream.WithExpectLastSequencePerSubject(0))
		publish(t, js, "r.2", "b", jetstream.WithExpectLastSequencePerSubject(0))
		_, err := js.Publish(t.Context(), "r.1", []byte("c"), jetstream.WithExpectLastSequencePerSubject(0))
		var api *jetstream.APIError
		if !errors.As(err, &api) || api.ErrorCode != jetstream.JSErrCodeStreamWrongLastSequence {
			t.Errorf("got %v, want error %d", err, jetstream.JSErrCodeStreamWrongLastSequence)
		}
		m := nats.NewMsg("r.2")
		m.Header.Set("Nats-Expected-Last-Subject-Sequence", "0")
		outcome, err := js.PublishMsgAsync(m)
		if err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-outcome.Err():
			if !errors.As(err, &api) || api.ErrorCode != jetstream.JSErrCodeStreamWrongLastSequence {
				t.Errorf("got %v", err)
			}
		case <-outcome.Ok():
			t.Error("it was stored")
		}
	})
	t.Run("what is stored survives a restart, with what was handed out", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		h := startHub(t, dir, "")
		address, token := strings.TrimPrefix(h.URL(), "nats://"), tokenOf(t, h)
		connect := func() (*nats.Conn, jetstream.JetStream) {
			nc, err := nats.Connect("nats://"+address, nats.Token(token))
			if err != nil {
				t.Fatal(err)
			}
			js, err := jetstream.New(nc)
			if err != nil {
				t.Fatal(err)
			}
			return nc, js
		}
		nc, js := connect()
		_, c := queue(t, js, -1)
		publish(t, js, "q.1", "a")
		publish(t, js, "q.2", "b")
		delivered(t, next(t, c, time.Second))
		nc.Close()
		h.Stop()
		startHub(t, dir, address)
		nc, js = connect()
		defer nc.Close()
		c, err := js.Consumer(t.Context(), "Q", "c")
		if err != nil {
			t.Fatal(err)
		}
		got := make(map[string]uint64)
		for len(got) < 2 {
			m := next(t, c, 10*wait)
			got[m.Subject()] = delivered(t, m)
			_ = m.Ack()
		}
		if got["q.1"] != 2 || got["q.2"] != 1 {
			t.Errorf("got deliveries %v, want the first to come again", got)
		}
	})
	t.Run("an object that was not written to the end is not there", func(t *testing.T) {
		t.Parallel()
		_, js := server(t)
		store, err := js.CreateObjectStore(t.Context(), jetstream.ObjectStoreConfig{Bucket: "o"})
		if err != nil {
			t.Fatal(err)
		}
		whole := make([]byte, 1<<20)
		_, _ = rand.Read(whole)
		if _, err := store.PutBytes(t.Context(), "a", whole); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Put(t.Context(), jetstream.ObjectMeta{Name: "b"}, &cut{bytes.NewReader(whole[:600_000])}); err == nil {
			t.Error("half an object was stored")
		}
		if got, err := store.GetBytes(t.Context(), "a"); err != nil || !bytes.Equal(got, whole) {
			t.Errorf("got %d bytes, %v", len(got), err)
		}
		if _, err := store.GetBytes(t.Context(), "b"); !errors.Is(err, jetstream.ErrObjectNotFound) {
			t.Errorf("got %v, want that it is not there", err)
		}
	})
}

// A cut ends with an error, as a program does that is killed.
type cut struct{ *bytes.Reader }

func (c *cut) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if err != nil {
		return n, context.Canceled
	}
	return n, nil
}
