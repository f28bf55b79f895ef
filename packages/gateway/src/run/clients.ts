import { basename } from 'node:path'
import { anyCommand, byVariables } from './clients/by-environment.ts'
import { cn } from './clients/cn.ts'
import { codex } from './clients/codex.ts'
import { opencode } from './clients/opencode.ts'
import { pi } from './clients/pi.ts'
import type { RunClient } from './run-client.ts'

const runClients: readonly RunClient[] = [codex, opencode, pi, ...byVariables, cn]

/** The same, and what stands for every other command. */
export const allClients: readonly RunClient[] = [...runClients, anyCommand]

export function clientOf(command: string): RunClient {
  const name = basename(command).replace(/\.(?:exe|cmd|js)$/i, '')
  return runClients.find(({ commands }) => commands.includes(name)) ?? anyCommand
}
