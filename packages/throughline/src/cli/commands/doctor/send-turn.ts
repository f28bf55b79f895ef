import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openClientStore } from '../../../clients/client-store.ts'
import { readClientRecords } from '../../../clients/record.ts'
import type { InstallableClient } from '../../installed/client.ts'
import type { Place } from '../../installed/place.ts'
import type { Tried } from './try-paths.ts'

type Sent = Pick<InstallableClient, 'name' | 'program' | 'turn'>

/**
 * Sends one turn through the client, which the user's own model answers: only that shows whether the
 * client calls what it has loaded.
 */
export async function sendTurn(
  client: Sent,
  place: Pick<Place, 'env' | 'platform'>,
  patience = 300_000,
): Promise<Tried | undefined> {
  if (!client.turn) return undefined
  const at = Date.now()
  const problem = await problemOf(client, place, patience).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  )
  return { path: 'turn', ms: Date.now() - at, ...(problem !== undefined && { problem }) }
}

async function problemOf(
  { name, program, turn = [] }: Sent,
  { env, platform }: Pick<Place, 'env' | 'platform'>,
  timeout: number,
): Promise<string | undefined> {
  const began = Date.now()
  // On Windows it is a script of the shell; no word of it is anybody's.
  const options = { env, timeout, shell: platform === 'win32', maxBuffer: 64 * 1024 * 1024 }
  await promisify(execFile)(program, turn, options)
  const records = readClientRecords(name, env).filter(({ at }) => at >= began)
  const failed = records.find(({ event }) => event === 'error')
  if (failed) return failed.reason ?? 'the plugin failed'
  const { store, lost } = openClientStore(name, env)
  if (lost !== undefined) return lost
  const [newest] = await store.sessions()
  return newest && newest.at >= began
    ? undefined
    : 'the client has answered, and did not tell the plugin of it'
}
