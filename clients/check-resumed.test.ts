import { describe, expect, it } from 'vitest'
import { resumeProblems, type Expected } from './check-resumed.ts'
import type { SaidPart, ServedRequest } from 'throughline/testing/provider'

const expected: Expected = {
  written: {
    summary: '<prior-conversation-summary>\nThe parser takes tabs.\n</prior-conversation-summary>',
    facts: {},
    messages: [
      { message: { role: 'user', content: 'now the tests' }, origin: 'human', at: 1 },
      {
        message: {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I read two files.' },
            { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a.ts' } },
            { type: 'tool-call', toolCallId: 'b', toolName: 'read', input: { path: 'a.ts' } },
          ],
        },
        origin: 'model',
        at: 2,
      },
      {
        message: {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'a',
              toolName: 'read',
              output: { type: 'text', value: 'first "file"' },
            },
            {
              type: 'tool-result',
              toolCallId: 'b',
              toolName: 'read',
              output: { type: 'error-text', value: 'no such file' },
            },
          ],
        },
        origin: 'tool',
        at: 3,
      },
    ],
  },
  gone: ['what was read long ago'],
  tools: 'as they are',
  prompt: 'go on',
  call: { id: 'c', gives: 'well' },
}

const summary: SaidPart = {
  type: 'text',
  role: 'user',
  text: `Read this:\n${expected.written.summary}`,
}
const asked: SaidPart = { type: 'text', role: 'user', text: 'now the tests' }
const told: SaidPart = { type: 'text', role: 'assistant', text: 'I read two files.' }
const calls: SaidPart[] = ['x1', 'x2'].map((id) => ({
  type: 'call',
  id,
  name: 'read',
  input: { path: 'a.ts' },
}))
const results: SaidPart[] = [
  { type: 'result', id: 'x1', text: '{"output":"first \\"file\\""}' },
  { type: 'result', id: 'x2', text: 'no such file' },
]
const prompt: SaidPart = { type: 'text', role: 'user', text: 'reminder: be kind\ngo on' }
const first = [summary, asked, told, ...calls, ...results, prompt]
const ran: SaidPart[] = [
  { type: 'call', id: 'c', name: 'bash', input: {} },
  { type: 'result', id: 'c', text: 'well' },
]

const parameters = { properties: { path: {}, why: {} }, required: ['path'] }
const body = { tools: [{ type: 'function', function: { name: 'read', parameters } }] }

function request(said: readonly SaidPart[], index: number): ServedRequest {
  const number = index + 1
  const wire = 'chat-completions'
  return { number, wire, path: '/', model: 'scripted', tokens: 9, body, tools: [], said }
}

function problems(...all: (readonly SaidPart[])[]): string[] {
  return resumeProblems(all.map(request), expected)
}

function problemsHandedOver(tools: readonly unknown[]): string[] {
  const requests = [first, [...first, ...ran]].map(request)
  const handedOver = { ...expected, tools: 'handed over' } as const
  return resumeProblems(
    requests.map((one) => ({ ...one, body: { tools } })),
    handedOver,
  )
}

function without(part: SaidPart | undefined): SaidPart[] {
  return first.filter((one) => one !== part)
}

describe('a client that goes on as it should', () => {
  it('has no problem, whatever it asks beside and whatever it puts around', () => {
    const title: SaidPart[] = [{ type: 'text', role: 'user', text: 'a title for: go on' }]
    expect(problems(title, first, [...first, ...ran])).toEqual([])
  })
})

describe('a client that does not go on as it should is found out', () => {
  const old: SaidPart = { type: 'text', role: 'user', text: 'of what was read long ago: much' }
  it.each([
    ['has no summary', without(summary), 'none of 2 requests holds the summary'],
    ['has the summary twice', [summary, ...first], 'the summary is there 2 times'],
    ['lost words of the human', without(asked), 'now the tests'],
    ['lost a result', without(results[1]), 'no such file'],
    ['lost a call', without(calls[0]), 'the result x1 has no call'],
    ['has a result twice', [...first, results[0] as SaidPart], 'the result x1 has no call'],
    ['changed the order', [summary, told, asked, ...first.slice(3)], 'out of order'],
    ['kept something of the head', [old, ...first], 'of the head it holds'],
    ['has no prompt', without(prompt), 'the prompt is there 0 times'],
    ['asks before the tail', [prompt, ...without(prompt)], 'the prompt stands before the end'],
  ])('when it %s', (_, said, problem) => {
    expect(problems(said, [...said, ...ran]).join('\n')).toContain(problem)
  })

  it('when it compacts again, does not run its tool, or stops', () => {
    expect(problems(first, [...first, ...ran], first)).toEqual([
      '3 requests hold the session, and not 2',
    ])
    expect(problems(first, first)).toEqual(['second request: the result of its tool is not there'])
    expect(problems(first)).toEqual(['it did not continue after its tool ran'])
  })
})

describe('a session that was handed over', () => {
  it('calls what the client offers, in whatever form its API says that', () => {
    expect(problemsHandedOver(body.tools)).toEqual([])
    expect(problemsHandedOver([{ name: 'read', input_schema: parameters }])).toEqual([])
    expect(
      problemsHandedOver([
        { functionDeclarations: [{ name: 'read', parametersJsonSchema: parameters }] },
      ]),
    ).toEqual([])
    // Without a schema it takes what it is given.
    expect(problemsHandedOver([{ type: 'custom', name: 'read' }])).toEqual([])
  })

  it.each([
    ['has no such tool', [{ name: 'view' }], 'which it may not call'],
    [
      'knows no such argument',
      [{ name: 'read', parameters: { properties: {} } }],
      'read does not take path',
    ],
    [
      'needs another argument',
      [{ name: 'read', parameters: { required: ['why'] } }],
      'read requires why',
    ],
  ])('is found out when the client %s', (_, tools, problem) => {
    expect(problemsHandedOver(tools).join('\n')).toContain(problem)
  })
})
