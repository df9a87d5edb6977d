//! A connection that must speak up.

use core::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use std::io;

use pin_project_lite::pin_project;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

/// Bytes from which on hyper knows the version of HTTP, and keeps time itself.
const PREFACE: usize = 24;

pin_project! {
    /// Fails to read when the first bytes take too long: until it knows the
    /// version of HTTP, hyper waits for as long as the client likes.
    pub(super) struct Prompt<S> {
        #[pin]
        stream: S,
        #[pin]
        deadline: Sleep,
        missing: usize,
    }
}

impl<S> Prompt<S> {
    pub(super) fn new(stream: S, within: Duration) -> Self {
        Self { stream, deadline: sleep(within), missing: PREFACE }
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
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.project().stream.poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.project().stream.poll_write_vectored(context, bytes)
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
