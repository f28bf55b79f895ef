import { describe, expect, test } from 'vitest'
import { factsOf } from '../../facts/facts-of.ts'
import { human, logFrom, step } from '../../testing/generate/build.ts'
import { isOfAnotherSession, withoutInventions } from './invented-names.ts'

const log = logFrom([
  human('Fix src/registry.ts and the workflows lint.yml and test.yml on windows-latest and macos.'),
  step(
    'a',
    'exec_command',
    { cmd: 'cat src/registry.ts' },
    'class SessionRegistry { getActive() {} }',
  ),
])
const facts = factsOf(log, {})

function marked(text: string): string {
  return withoutInventions(text, { facts, log, named: new Set(), right: new Set() })
}

describe('a name is marked where the session never held it', () => {
  test.each([
    'See `src/ghost.ts`.',
    'See `SessionRegistry.calledGhost()`.',
    // Both words are there, but no such file.
    'See `windows/registry.ts`.',
    'See `SessionRegistry.ts`.',
  ])('%s', (text) => {
    expect(marked(text)).toContain('(not seen in this session)')
  })
})

describe('a name is not marked that was put together of such as the session held', () => {
  test.each([
    '`SessionRegistry.getActive()` is a method.',
    'The workflows lint.yml/test.yml run.',
    'It runs on Windows/macOS.',
    'It was read with exec_command.',
  ])('%s', (text) => {
    expect(marked(text)).toBe(text)
  })
})

describe('a path', () => {
  const seen = logFrom([
    human('Move packages/agent/src/session.ts, as caveat 3 says, and the tests.'),
    step('a', 'ls', { path: 'packages/agent/src' }, 'cli.ts\nsession.ts\nmodes/'),
    step(
      'b',
      'Read',
      { file_path: 'packages/agent/src/session.ts' },
      "import { expand } from './slash-commands.js'\nimport { find } from './models'",
    ),
    step('c', 'Read', { file_path: 'package.json' }, '{}'),
    step('d', 'powershell', { command: '.\\scripts\\Watch-CI.ps1 -All' }, 'ok'),
  ])
  const own = factsOf(seen, {})
  const told = (text: string): string =>
    withoutInventions(text, { facts: own, log: seen, named: new Set(), right: new Set() })

  test.each([
    'of a listing: `packages/agent/src/cli.ts`.',
    'of an import: `packages/agent/src/slash-commands.ts`, `packages/agent/src/models.ts`.',
    'of a name that many directories have: `packages/agent/package.json`.',
    'of a command on Windows: `scripts/Watch-CI.ps1`.',
    'that is prose: Tests/tooling, the scenario 5/caveat, TEST/UTF8, non-URLs.',
  ])('is not marked that the session held, but not together, or %s', (text) => {
    expect(told(text)).toBe(text)
  })

  test.each([
    // That file is elsewhere.
    'See `packages/agent/modes/session.ts`.',
    'See `packages/agent/src/ghost.ts`.',
    'See `packages/ghost/cli.ts`.',
    'See `packages/ghosts`.',
  ])('is marked otherwise: %s', (text) => {
    expect(told(text)).toContain('(not seen in this session)')
  })
})

test('a text is of another session where hardly any of its names was held by this one', () => {
  const other = [
    '`src/cart/CartProvider.tsx`, `useCheckout`, `/api/orders`, `src/pages/Checkout.tsx`',
    '`CheckoutForm`, `src/api/orders.ts`, `orderSchema`, `src/lib/stripe.ts`, `postOrder`',
  ].join(', ')
  expect(isOfAnotherSession(other, { facts, log })).toBe(true)
  // What is planned is not held yet.
  const planned = `${other}. So far: src/registry.ts, SessionRegistry, getActive, lint.yml, test.yml`
  expect(isOfAnotherSession(planned, { facts, log })).toBe(false)
  expect(isOfAnotherSession('The parser takes empty input.', { facts, log })).toBe(false)
})
