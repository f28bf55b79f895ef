import { expect, test } from 'vitest'
import { factsOf } from '../facts-of.ts'
import { assistant, harness, human, logFrom, step } from '../../testing/generate/build.ts'
import type { Drafts } from '../../testing/generate/build.ts'

const told = (...drafts: Drafts[]) => factsOf(logFrom(drafts)).statements

test('what a client says about itself in every session is no loaded instruction', () => {
  const client = [
    '<permissions instructions>\nNever ask before a command runs. Skills have a SKILL.md each.\n</permissions instructions>',
    '<skills_instructions>\nOpen its SKILL.md before you use a skill, and follow it to the letter.\n</skills_instructions>',
  ].join('\n')
  expect(told(harness(client))).toEqual([])
  const project =
    '# AGENTS.md instructions for /code\n\n<INSTRUCTIONS>\nUse tabs in every file, and never spaces.\n</INSTRUCTIONS>'
  const [only, ...more] = told(harness(`${client}\n${project}`))
  expect(more).toEqual([])
  expect(only).toMatchObject({ source: 'instructions', about: 'AGENTS.md' })
  expect(only?.text).toContain('Use tabs in every file')
  expect(only?.text).not.toContain('Never ask')
})

test.each([
  '<skill-context name="reviewing">\nRead the whole change before you say a word about it.\n</skill-context>',
  'Base directory for this skill: /home/ann/.claude/skills/reviewing\n\nRead the whole change before you say a word about it.',
  'Base directory for this skill: C:\\Users\\ann\\skills\\reviewing\n\nRead the whole change before you say a word about it.',
])('a loaded skill goes by its name: %j', (message) => {
  expect(told(harness(message))).toMatchObject([{ source: 'instructions', about: 'reviewing' }])
})

const guide = '# Guide\nEvery export begins with a row of names, and ends with a row of sums.'

test('of a document that is read, lines of markup alone are left out', () => {
  const page = guide.replace('\n', '\n<p align="center">\n<img src="a.gif" width=75%>\n</p>\n')
  const log = [human('Read the guide.'), step('1', 'read', { filePath: '/code/guide.md' }, page)]
  expect(told(...log)).toMatchObject([{ text: guide }])
})

test('what a tool says about how it shows a document does not stand in it', () => {
  const shown = `${guide}\n\n(End of file - total 2 lines)`
  const cut = `${guide}\n[431 more lines in file. Use offset=825 to continue]`
  const log = [human('Read the guide.'), step('1', 'read', { filePath: '/code/guide.md' }, shown)]
  expect(told(...log)).toMatchObject([{ text: guide, whole: true }])
  const part = [human('Read the guide.'), step('1', 'read', { filePath: '/code/guide.md' }, cut)]
  expect(told(...part)).toMatchObject([{ text: guide }])
  expect(told(...part)[0]?.whole).toBeUndefined()
})

test('the topic of a piece of thinking is no part of what it came to', () => {
  const thought = (text: string) => assistant([{ type: 'reasoning', text }])
  const found = 'The exporter writes its sums twice.'
  expect(told(thought(`**Considering the exporter**\n\n${found}`))).toMatchObject([{ text: found }])
  expect(told(thought('**Inspecting the sums**'))).toEqual([])
  expect(told(thought('**The sums are written twice**'))).toHaveLength(1)
})

test('what a program prints for agents about how to work is a document of its own', () => {
  const guide =
    '# How we work\n\n## Rules\n- NEVER skip the linter.\n\n## Tasks\n- Do NOT keep a list in files.'
  const run = (command: string, output: string) =>
    told(human('Go on.'), step('1', 'Bash', { command }, output))
  expect(run('tasks prime', guide)).toMatchObject([
    { source: 'document', about: 'tasks prime', text: guide },
  ])
  expect(run('tasks prime', '# Tasks\n\n## Open\n- Draw the page of settings.')).toEqual([])
  expect(run('grep -rn NEVER . | head', guide)).toEqual([])
})

test('a text that is kept first goes by the command that it is handed to', () => {
  const command =
    'BODY=$(cat <<\'EOF\'\nThe sums are right again.\nEOF\n)\ngh issue create --body "$BODY"'
  const said = told(human('Go on.'), step('1', 'Bash', { command }, 'ok'))
  const message = said.find(({ text }) => text === 'The sums are right again.')
  expect(message).toMatchObject({ source: 'message', about: 'gh issue create' })
})

test('a text that nobody is known to read goes by no name, least of all by its own words', () => {
  const command = "BODY=$(cat <<'EOF'\nThe sums are right again.\nEOF\n)"
  const [message] = told(human('Go on.'), step('1', 'Bash', { command }, 'ok'))
  expect(message?.text).toBe('The sums are right again.')
  expect(message?.about).toBeUndefined()
})

test('what was sent is told with whom it was sent to, whatever the tool is called', () => {
  const input = { to: 'warehouse', text: 'Do we have seals for batch K-19?' }
  const said = told(human('Ask the warehouse for seals.'), step('1', 'hand_over', input, 'ok'))
  expect(said).toMatchObject([
    { text: input.text, source: 'message', about: 'hand_over to warehouse', worked: true },
  ])
})
