// Takes OTLP over gRPC on a port of this machine, and keeps nothing: `.ci/bench` measures what exporting costs.
import { createServer } from 'node:http2';

/** A frame of gRPC with an empty message. */
const EMPTY = Buffer.alloc(5);

createServer()
  .on('stream', (stream) => {
    stream.resume();
    stream.on('error', () => stream.close());
    stream.on('end', () => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(EMPTY);
    });
  })
  .listen(Number(process.argv[2]), '127.0.0.1');
