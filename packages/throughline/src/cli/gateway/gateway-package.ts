import { CommandError } from '../errors.ts'
import { parseTokens } from '../../tokens/windows.ts'
import { oneOf, usage } from '../parse-arguments.ts'
import { pathFrom } from '../paths.ts'
import { homedir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { packageFolder } from '../installed/place.ts'
import { join } from 'node:path'
import type { Io } from '../io.ts'
import type { Options, ParsedArguments } from '../command.ts'
import type { Chronological } from '../../log/order.ts'

/** Makes the page of `throughline report` for a session that a gateway keeps. */
export type SessionPage = (log: Chronological, of: { id: string; model: string }) => Promise<string>

/** The options of every command that starts a gateway. */
export const gatewayOptions: Options = {
  '--store PLACE':
    'Where its sessions are kept: a folder, or postgres://user:password@host/database. Default: gateway in the user’s data folder.',
  '--window SIZE':
    'The window of the model, such as 200k. Default: the model’s known window, else the one that its provider names in its first refusal.',
  '--when WHEN':
    'before: compact before the provider would refuse. rescue: leave it to the client, and compact when the provider refuses. never: only forward. Default: rescue for clients that are known to compact by themselves, before for others.',
  '--summary-model MODEL':
    'The model that writes summaries, from the same provider. Say none to have code write them. Default: the model of the session.',
  '--tools TOOLS':
    'Additional tools for agents. The gateway answers their calls, and the client does not see them: recall, compact, or recall,compact. Default: no tools.',
}

const ownTools = ['recall', 'compact'] as const
const waysToCompact = ['before', 'rescue', 'never'] as const

export function settingsOf(command: string, { values }: ParsedArguments): GatewaySettings {
  const size = values.get('window')
  const context = size === undefined ? undefined : parseTokens(size)
  if (size !== undefined && context === undefined) {
    throw usage(
      command,
      `--window must be a number of tokens such as 200k, not ${JSON.stringify(size)}`,
    )
  }
  const asked = values.get('when')
  const when = asked === undefined ? undefined : oneOf(command, 'when', asked, waysToCompact)
  const model = values.get('summary-model')
  const tools = values.get('tools')?.split(',')
  return {
    ...(context !== undefined && { window: { context } }),
    ...(when !== undefined && { when }),
    ...(tools && { tools: tools.map((tool) => oneOf(command, 'tools', tool, ownTools)) }),
    ...(model !== undefined && { summaryModel: model === 'none' ? false : model }),
  }
}

/** Where the gateway keeps its sessions. */
export function gatewayFolder({ values }: ParsedArguments, { env, cwd }: Io): string {
  const asked = values.get('store')
  // One letter is a drive.
  if (asked !== undefined && /^[a-z][a-z0-9+.-]+:\//i.test(asked)) return asked
  if (asked !== undefined) return pathFrom(cwd, asked)
  const data = env['XDG_DATA_HOME'] ?? join(env['HOME'] ?? homedir(), '.local', 'share')
  return join(data, 'throughline', 'gateway')
}

/** What the commands need of `throughline-gateway`, which is a package of its own. */
export interface GatewayPackage {
  runBehind: (options: {
    command: string
    args: readonly string[]
    env: Readonly<Record<string, string | undefined>>
    directory: string
    folder: string
    settings: GatewaySettings
    pageModule: string
    say: (text: string) => Promise<void>
    isQuiet: boolean
  }) => Promise<number>
  serve: (options: {
    host: string
    port: number
    upstreams: Readonly<Record<string, string>>
    folder: string
    configFile?: string
    given?: Readonly<Record<string, unknown>>
    settings: GatewaySettings
    pageModule: string
    sessionInterface?: 'callers' | 'one-user'
    reportLinks: boolean
    say: (text: string) => Promise<void>
    signal: AbortSignal
  }) => Promise<void>
}

/** How its sessions are compacted. */
export interface GatewaySettings {
  window?: { context: number }
  when?: 'before' | 'rescue' | 'never'
  summaryModel?: string | false
  tools?: readonly ('recall' | 'compact')[]
}

const name = 'throughline-gateway'

/** What makes the pages of sessions, as a gateway in a process of its own loads it. */
export function pageModule(): string {
  return pathToFileURL(join(packageFolder(), 'dist', 'session-page.js')).href
}

/**
 * Loads the gateway that is installed with this package, and no other: a project's own directory may
 * hold anything.
 * @throws CommandError that names the command which brings it.
 */
export async function loadGateway(asked: string): Promise<GatewayPackage> {
  try {
    return (await import(name)) as GatewayPackage
  } catch (error) {
    const isMissing =
      error instanceof Error &&
      'code' in error &&
      error.code === 'ERR_MODULE_NOT_FOUND' &&
      error.message.includes(`'${name}'`)
    if (!isMissing) throw error
    const problem = `${asked} needs the gateway, a package of its own: npx -p throughline -p ${name} throughline ${asked}; to keep it: npm i -g throughline ${name}`
    throw new CommandError(problem, { cause: error })
  }
}
