import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { sqliteStore, type SqliteStore } from '../../stores/sqlite/index.ts'
import { agent, type Agent } from '../../testing/generate/agent.ts'
import { result, tool } from '../../testing/generate/build.ts'
import { illegalities } from '../../testing/legal.ts'
import { openCallIds } from '../../testing/open-calls.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-killed-'))
const opened: SqliteStore[] = []
afterAll(() => {
  for (const store of opened) store.close()
  rmSync(folder, { recursive: true })
})

describe('a process that is killed while a tool runs', () => {
  const script = fileURLToPath(new URL('../../testing/generate/stuck-agent.ts', import.meta.url))

  /** Kills the agent when its store has acknowledged these, and opens the session again. */
  async function killed(names: string[], acknowledged: string[]): Promise<Agent> {
    const file = join(folder, `${names.join('-')}.db`)
    const child = spawn(process.execPath, [script, file, ...names], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const said: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      said.push(line)
      if (said.length === acknowledged.length) child.kill('SIGKILL')
    }
    expect(said).toEqual(acknowledged)
    const store = sqliteStore({ file })
    opened.push(store)
    return agent({ store, script: [{ text: 'Done.' }] })
  }

  test.each([
    { names: ['stuck', 'read'], acknowledged: ['user', 'assistant'], open: ['call-1', 'call-2'] },
    { names: ['read', 'stuck'], acknowledged: ['user', 'assistant', 'tool'], open: ['call-2'] },
  ])('leaves its calls pending: $names', async ({ names, acknowledged, open }) => {
    const { session, model, run } = await killed(names, acknowledged)
    const roles = (await session.history()).map(({ message }) => message.role)
    expect(roles).toEqual(acknowledged)
    expect(openCallIds(session.messages())).toEqual(open)
    expect(illegalities(session.messages())).toEqual([])
    await expect(run()).resolves.toEqual({ reason: 'pending', steps: 0 })
    await session.compact()
    await expect(run()).resolves.toEqual({ reason: 'pending', steps: 0 })
    expect(model.requests).toEqual([])
    for (const id of open) await session.append(tool(result(id, 'stuck', 'at last')))
    await expect(run()).resolves.toMatchObject({ reason: 'finished' })
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain('at last')
  })

  test('goes on where the human gives the calls up', async () => {
    const { session, model, run } = await killed(['stuck'], ['user', 'assistant'])
    await session.say('never mind')
    await expect(run()).resolves.toMatchObject({ reason: 'finished' })
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain('the call was aborted')
  })
})
