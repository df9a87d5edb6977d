import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** Plays the recorded call through the signed webhooks; resolves when it is over. */
export function playDemoCall(): Promise<void> {
  const command = process.env.FRONTDESK_DEMO_CALL;
  if (!command) throw new Error('FRONTDESK_DEMO_CALL does not say how to play the demo call.');
  return new Promise((resolve, reject) => {
    const child = spawn(command, { cwd: REPOSITORY, shell: true, stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`The demo call failed: ${complaint}`)),
    );
  });
}
