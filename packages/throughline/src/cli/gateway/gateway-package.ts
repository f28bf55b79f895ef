import { CommandError } from '../errors.ts'

/** What the commands need of `throughline-gateway`, which is a package of its own. */
export interface GatewayPackage {
  runBehind: (options: {
    command: string
    args: readonly string[]
    env: Readonly<Record<string, string | undefined>>
    directory: string
    folder: string
    settings: GatewaySettings
    say: (text: string) => Promise<void>
    isQuiet: boolean
  }) => Promise<number>
  serve: (options: {
    host: string
    port: number
    upstreams: Readonly<Record<string, string>>
    folder: string
    configFile?: string
    settings: GatewaySettings
    say: (text: string) => Promise<void>
    signal: AbortSignal
  }) => Promise<void>
}

/** How its sessions are compacted. */
export interface GatewaySettings {
  window?: { context: number }
  when?: 'before' | 'rescue'
  summaryModel?: string | false
}

const name = 'throughline-gateway'

/**
 * Loads the gateway from beside this package, and from nowhere else: a project's own directory may
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
