//! A connection that must speak up, and listen.

use core::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use std::io;

use pin_project_lite::pin_project;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep},
};

/// Bytes from which on hyper knows the version of HTTP, and keeps time itself.
const PREFACE: usize = 24;

pin_project! {
    /// Fails to read when the first bytes take too long: until it knows the version of HTTP, hyper
    /// waits for as long as the client likes. Fails to write when the client reads nothing for as long:
    /// hyper would keep unread answers in memory.
    pub(super) struct Prompt<S> {
        #[pin]
        stream: S,
        #[pin]
        deadline: Sleep,
        missing: usize,
        #[pin]
        patience: Sleep,
        within: Duration,
        stuck: bool,
    }
}

impl<S> Prompt<S> {
    pub(super) fn new(stream: S, within: Duration) -> Self {
        let (deadline, patience) = (sleep(within), sleep(within));
        Self { stream, deadline, missing: PREFACE, patience, within, stuck: false }
    }

    /// What became of a write, unless nothing did for too long.
    fn heed(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let mut this = self.project();
        if written.is_pending() && !*this.stuck {
            this.patience.as_mut().reset(Instant::now() + *this.within);
        }
        *this.stuck = written.is_pending();
        if *this.stuck && this.patience.poll(context).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        written
    }
}

impl<S: AsyncRead> AsyncRead for Prompt<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.project();
        let before = buffer.filled().len();
        let read = this.stream.poll_read(context, buffer);
        *this.missing = this.missing.saturating_sub(buffer.filled().len() - before);
        if read.is_pending() && *this.missing > 0 && this.deadline.poll(context).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        read
    }
}

impl<S: AsyncWrite> AsyncWrite for Prompt<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = self.as_mut().project().stream.poll_write(context, bytes);
        self.heed(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.as_mut().project().stream.poll_write_vectored(context, bytes);
        self.heed(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.project().stream.poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.project().stream.poll_shutdown(context)
    }
}
