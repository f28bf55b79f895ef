import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { surroundingsOf } from '../../harnesses/find-program.ts'
import { newDirectory } from '../testing/run-main.ts'
import { piWriter } from '../../formats/pi/writer.ts'
import { usedModel } from './handover.ts'

function home(files: Record<string, unknown>) {
  const folder = newDirectory()
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return surroundingsOf({ HOME: folder, USERPROFILE: folder })
}

const recent = [
  { providerID: 'openrouter', modelID: 'z-ai/glm-5' },
  { providerID: 'github-copilot', modelID: 'claude-sonnet-4.6' },
]

it('is the session’s own model with the provider by which the user has used it', async () => {
  const place = home({ '.local/state/opencode/model.json': { recent } })
  expect(await usedModel('opencode', 'claude-sonnet-4.6', place)).toEqual({
    provider: 'github-copilot',
    model: 'claude-sonnet-4.6',
  })
})

it('is the one used last, else the one of the settings, with comments in them', async () => {
  const used = home({ '.local/state/opencode/model.json': { recent } })
  const last = { provider: 'openrouter', model: 'z-ai/glm-5' }
  expect(await usedModel('opencode', 'gpt-5', used)).toEqual(last)
  const set = home({ '.config/opencode/opencode.jsonc': '{ // mine\n "model": "local/a/b", }' })
  expect(await usedModel('opencode', undefined, set)).toEqual({ provider: 'local', model: 'a/b' })
})

it('is not known of a client that says nothing, or cannot be read', async () => {
  expect(await usedModel('opencode', 'gpt-5', home({}))).toBeUndefined()
  const torn = home({ '.local/state/opencode/model.json': '{"recent": [{"provid' })
  expect(await usedModel('opencode', 'gpt-5', torn)).toBeUndefined()
  const used = home({ '.local/state/opencode/model.json': { recent } })
  expect(await usedModel('claude-code', 'claude-sonnet-4.6', used)).toBeUndefined()
})

it('names in a session for pi the model that the user has set there', async () => {
  const set = home({
    '.pi/agent/settings.json': { defaultProvider: 'local', defaultModel: 'a/b' },
  })
  expect(await usedModel('pi', 'claude-sonnet-4.6', set)).toEqual({
    provider: 'local',
    model: 'a/b',
  })
  expect(await usedModel('pi', 'claude-sonnet-4.6', home({}))).toBeUndefined()
  const said = { role: 'assistant', content: 'Done.' } as const
  const reply = { message: said, origin: 'model', at: 0, model: 'gpt-5' } as const
  const model = { provider: 'local', model: 'a/b' }
  const place = { session: 's', newId: () => 'id', now: 0, directory: '/w', model }
  const { text } = piWriter.write({ messages: [reply], facts: {} }, place)
  expect(text).toContain('"provider":"local","model":"a/b"')
})
