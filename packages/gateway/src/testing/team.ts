import { createHash } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTeamGateway, type TeamGateway } from '../operations/serve-team.ts'
import { startProvider } from 'throughline/testing/provider'
import type { ProviderRules, ProviderScript, ScriptedProvider } from 'throughline/testing/provider'

/** Replicas of a team’s gateway before one scripted provider. */
export interface Team {
  provider: ScriptedProvider
  /** Starts one more replica. */
  replica: () => Promise<TeamGateway>
  lines: string[]
  /** Writes another configuration, for the next replica or the next reload. */
  write: (config: object) => void
  close: () => Promise<void>
}

/** The operator’s token. */
const admin = 'the-token-of-the-operator'

export const sha256Of = (key: string) => createHash('sha256').update(key).digest('hex')

export async function startTeam(
  config: object,
  script: ProviderScript,
  { rules, now }: { rules?: ProviderRules; now?: () => number } = {},
): Promise<Team> {
  const provider = await startProvider({ script, ...(rules && { rules }) })
  const { url } = provider
  const configFile = join(mkdtempSync(join(tmpdir(), 'team-')), 'gateway.json')
  const lines: string[] = []
  const open = new Set<() => Promise<void>>()
  const write = (more: object): void =>
    writeFileSync(
      configFile,
      JSON.stringify({
        host: '127.0.0.1',
        port: 0,
        upstreams: { openai: `${url}/v1`, anthropic: url, gemini: url },
        sessions: { window: { context: 16_000 }, summaryModel: false },
        ...more,
      }),
    )
  write(config)
  return {
    provider,
    lines,
    write,
    async replica() {
      const gateway = await startTeamGateway({
        configFile,
        env: { THROUGHLINE_ADMIN_TOKEN: admin },
        logTo: { write: (line) => void lines.push(line) },
        ...(now && { now }),
      })
      const close = async (): Promise<void> => {
        if (open.delete(close)) await gateway.close()
      }
      open.add(close)
      return { ...gateway, close }
    },
    async close() {
      await Promise.all([...open].map((end) => end()))
      await provider.close()
    },
  }
}

export async function metricsOf(gateway: Pick<TeamGateway, 'url'>): Promise<string> {
  const headers = { authorization: `Bearer ${admin}` }
  return (await fetch(`${gateway.url}/metrics`, { headers })).text()
}
