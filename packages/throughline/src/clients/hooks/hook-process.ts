import { runHook, type HookClient } from './run-hook.ts'

/** Runs as the hook of a client: reads standard input, prints, and ends without an error. */
export async function hookProcess(client: HookClient): Promise<void> {
  const input = await standardInput()
  const text = await runHook(client, { env: process.env, input, now: Date.now })
  // A client that has gone reads nothing.
  process.stdout.on('error', () => {})
  if (text === '') process.exit(0)
  process.stdout.write(text, () => process.exit(0))
}

export async function standardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
