import type { InsideClient } from './client-trial.ts'
import { insideClaudeCode } from './of/claude-code.ts'
import { insideCodex } from './of/codex.ts'
import { insideOpenclaw } from './of/openclaw.ts'
import { insideOpencode } from './of/opencode.ts'
import { insidePi } from './of/pi.ts'
import { insideQwenCode } from './of/qwen-code.ts'

export const insideClients: readonly InsideClient[] = [
  insideOpencode,
  insidePi,
  insideClaudeCode,
  insideCodex,
  insideQwenCode,
]

/** @throws if no client with this name takes Throughline into itself */
export function insideClient(name: string): InsideClient {
  const found = [...insideClients, insideOpenclaw].find(({ client }) => client.name === name)
  if (!found) throw new Error(`No client with a plugin is called ${name}.`)
  return found
}
