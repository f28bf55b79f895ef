import { afterAll, expect, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { extend } from './plugin.ts'
import type { OpenClawApi, OpenClawEngine, OpenClawTool } from './api.ts'

const root = mkdtempSync(join(tmpdir(), 'throughline-openclaw-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const sessionId = 's'

function host() {
  const engines: (() => OpenClawEngine)[] = []
  let tools: readonly OpenClawTool[] = []
  let command: (args: string) => Promise<string> = async () => ''
  const api: OpenClawApi = {
    registerContextEngine: (_, make) => engines.push(make),
    registerTool: (make) => (tools = make({ sessionId }) ?? []),
    registerCommand: ({ handler }) => {
      command = async (args) => (await handler({ sessionId, args })).text
    },
  }
  extend(api, { XDG_DATA_HOME: root, HOME: root, THROUGHLINE_LOCAL: '1' })
  return { engine: engines[0]?.(), tools, command: (args: string) => command(args) }
}

test('the command says whether the host calls the engine, and what was pinned stays', async () => {
  const { engine, tools, command } = host()
  expect(await command('doctor')).toContain('OpenClaw has told nothing of this session')
  const messages = [{ role: 'user', content: 'Go.', timestamp: 1 }]
  await engine?.assemble({ sessionId, messages })
  expect(await command('doctor')).toMatch(/store can be written[^]*has told 1 message of/)
  expect(await command('pin The port is 8080.')).toMatch(/^Pinned/)
  const view = await engine?.assemble({ sessionId, messages })
  expect(JSON.stringify(view?.messages)).toContain('The port is 8080.')
  expect(tools.map(({ name }) => name)).toEqual([
    'throughline_recall',
    'throughline_compact',
    'throughline_pin',
  ])
  const found = await tools[0]?.execute('1', { words: 'Go' })
  expect(found?.content[0]?.text).toContain('Go.')
})

test('what is switched off in the chat gives its slot back with the next turn', async () => {
  const { command } = host()
  expect(await command('off')).toContain('is off')
  expect(host().engine?.info).not.toHaveProperty('ownsCompaction')
  expect(host().tools).toEqual([])
  await command('on')
  expect(host().engine?.info).toHaveProperty('ownsCompaction', true)
})
