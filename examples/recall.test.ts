import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { memoryStore } from 'throughline'
import { scriptedModel } from 'throughline/testing/ai-sdk'
import { agentWithRecall } from './recall.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/recall.md'), 'utf8')

test('the lines of docs/recall.md are those of the example, and the example runs', async () => {
  const source = readFileSync(join(import.meta.dirname, 'recall.ts'), 'utf8')
  const [, body = ''] = /\/\/ page: begin\n([\s\S]*?) *\/\/ page: end/.exec(source) ?? []
  expect(page).toContain(body.replaceAll(/^ {2}/gm, ''))
  const model = scriptedModel({
    script: [{ calls: [{ name: 'recall', input: { ref: '1' } }] }, { text: 'It is fixed.' }],
  })
  const session = await agentWithRecall(model, {}, memoryStore())
  const [, , answer] = (await session.history()).map(({ message }) => JSON.stringify(message))
  expect(answer).toContain('<recalled ref=\\"1.0\\" who=\\"human\\"')
})

test('every client of docs/recall.md is told the same command', () => {
  const command = ['throughline', 'mcp']
  const [claude, opencode] = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, text = '']) =>
    JSON.parse(text),
  )
  const { command: program, args } = claude.mcpServers.recall
  expect([program, ...args]).toEqual(command)
  expect(opencode.mcp.recall).toEqual({ type: 'local', command })
  expect(page).toContain(`command = "${command[0]}"\nargs = ["${command[1]}"]\n`)
  expect(page.match(new RegExp(`mcp add recall -- ${command.join(' ')}`, 'g'))).toHaveLength(2)
})
