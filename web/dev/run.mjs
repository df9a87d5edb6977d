// Runs one of the TypeScript programs beside this file: node dev/run.mjs door|shots
import { runnerImport } from 'vite';

const [name, ...args] = process.argv.slice(2);
const { module } = await runnerImport(new URL(`./${name}.ts`, import.meta.url).pathname, {
  logLevel: 'error',
});
await module.main(args);
