import { insideClient, insideClients } from '../inside-client.ts'
import { longCn } from './of/cn.ts'
import { longCopilotCli } from './of/copilot-cli.ts'
import { longGeminiCli } from './of/gemini-cli.ts'
import { longKimiCode } from './of/kimi-code.ts'
import type { LongClient } from './long-client.ts'

const others: readonly LongClient[] = [longGeminiCli, longCopilotCli, longCn, longKimiCode]

export const longClients: readonly LongClient[] = [...insideClients, ...others]

/** @throws if no client has this name */
export function longClient(name: string): LongClient {
  return others.find(({ client }) => client.name === name) ?? insideClient(name)
}
