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
