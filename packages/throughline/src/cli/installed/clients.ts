import { nearest } from '../../config/nearest.ts'
import { usage } from '../parse-arguments.ts'
import { claudeCode } from './of/claude-code.ts'
import { codex } from './of/codex.ts'
import { copilotCli, geminiCli } from './of/recall-only.ts'
import { hermes } from './of/hermes.ts'
import { openclaw } from './of/openclaw.ts'
import { opencode, pi } from './plugin.ts'
import { qwenCode } from './of/qwen-code.ts'
import type { InstallableClient } from './client.ts'

export const installableClients: readonly InstallableClient[] = [
  opencode,
  pi,
  claudeCode,
  codex,
  qwenCode,
  geminiCli,
  copilotCli,
  openclaw,
  hermes,
]

/** @throws UsageError */
export function clientNamed(command: string, word: string): InstallableClient {
  const client = installableClients.find((each) => each.name === word || each.word === word)
  if (client) return client
  const words = installableClients.map((each) => each.word)
  const meant = nearest(word, [...words, ...installableClients.map(({ name }) => name)])
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  throw usage(
    command,
    `the client must be one of ${words.join(', ')}, not ${JSON.stringify(word)}${hint}`,
  )
}
