import { expect, it } from 'vitest'
import { memoryStore } from '../stores/memory.ts'
import { human, step } from '../testing/generate/build.ts'
import { ClientSession } from './client-session.ts'
import { commandUsage, doneLine, ownSession, runCommand } from './command.ts'

const page = 'The harbour is described with its weather.\n'.repeat(300)

async function session(): Promise<ClientSession> {
  const at = ClientSession.open({
    store: memoryStore(),
    id: 'a',
    frame: { model: 'm', window: { context: 30_000 } },
    directories: ['/w'],
    patience: 1_000,
  })
  const steps = Array.from({ length: 12 }, (_, n) => [
    ...step(`r${n}`, 'Read', { file_path: `/w/${n}.txt` }, page),
    ...step(`e${n}`, 'Edit', { file_path: `/w/${n}.ts`, old_string: 'a', new_string: 'b' }, 'ok'),
  ]).flat()
  await at.follow([human('Read them all. Never push to main.'), ...steps])
  return at
}

function commandIn(at: ClientSession) {
  const turn = (): void => {}
  return (words: string): Promise<string> =>
    runCommand(words, { client: 'pi', env: {}, session: ownSession(at), isOff: false, turn })
}

it('a person is told what a compaction did, may see what was kept, and may ask for another', async () => {
  const at = await session()
  const run = commandIn(at)
  expect(await run('show')).toBe('Nothing has been compacted in this session yet.')
  const done = await at.compact('manual', {})
  if (!done) throw new Error('nothing was compacted')
  expect(await doneLine(at, done)).toMatch(
    /^Throughline: [\d.]+k → [\d.]+k tokens; 1 rule and 12 changed files kept\. \/throughline show says what\.$/,
  )
  const shown = await run('show')
  expect(shown).toContain('- Never push to main. [1]')
  expect(shown).toContain('recall')
  expect(await run('compact the harbour')).toContain('with the focus on: the harbour')
  expect(at.asked).toEqual({ focus: 'the harbour' })
})

it('what was pinned can be unpinned by its words', async () => {
  const at = await session()
  const run = commandIn(at)
  await run('pin The port is 4711.')
  expect(await run('unpin nothing like it')).toBe('Nothing of these words is pinned.')
  expect(await run('unpin The port is 4711.')).toBe('No longer pinned: The port is 4711.')
  expect(at.session.context().pins.size).toBe(0)
  expect(await run('what')).toBe(`/throughline takes one of: ${commandUsage}`)
})

it('a person reads what is recalled as text, without what is meant for a model', async () => {
  const at = await session()
  const run = commandIn(at)
  const found = await run('recall harbour weather')
  expect(found).toMatch(/^\[\d+\.0\] what Read gave:\n/)
  expect(found).toMatch(
    /\nThere is more\. To see one of them whole: \/throughline recall \[NUMBER\]$/,
  )
  expect(found).not.toMatch(/<recalled|Recalled from|"offset"/)
  const [, number = ''] = /^\[([\d.]+)\]/.exec(found) ?? []
  expect(await run(`recall [${number}]`)).toContain('The harbour is described')
  expect(await run('recall [999]')).toContain('999')
})
