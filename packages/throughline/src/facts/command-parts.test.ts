import { describe, expect, test } from 'vitest'
import { beginsAlike, covers, readCore, readPart } from './command-parts.ts'

describe('a success covers what failed', () => {
  test.each([
    ['npm test', 'npm test'],
    ['npm test', 'npm test -- src/parser.test.ts'],
    ['mise run test', 'go test ./cmd/... -run TestCarryForward -v'],
    ['mise run test:ci', 'go test -v -race -run TestFind ./cmd/cli/strategy/'],
    ['go test ./...', 'go test ./pkg/syncer -run TestBootstrap'],
    ['git commit', 'git commit -m x'],
    ['npx vitest run src/session/usage', 'npx vitest run src/session/usage.test.ts'],
    ['npx vitest run src/a.test.ts src/b.test.ts', 'npx vitest run src/b.test.ts src/a.test.ts'],
    ['go test ./pkg/...', 'go test ./pkg/syncer'],
    ['npx eslint src/', 'npx eslint src/a.ts'],
  ])('%s: %s', (success, failed) => {
    expect(covers(readPart(success), readCore(failed))).toBe(true)
  })

  test.each([
    ['npm test -- src/parser.test.ts', 'npm test'],
    ['npm test', 'npm run test:integration'],
    ['mise run test', 'mise run lint'],
    ['go test ./pkg/auth', 'go test ./pkg/syncer'],
    ['npm run build', 'npm test'],
    ['npx vitest run src/session/usage.test.ts', 'npx vitest run src/session'],
    ['npx eslint src/a', 'npx eslint src/abc.ts'],
  ])('but %s says nothing of %s', (success, failed) => {
    expect(covers(readPart(success), readCore(failed))).toBe(false)
  })
})

test('two long lines that were cut, each at its place, are one as far as they go', () => {
  const long = 'go test ./pkg -run TestA|'.repeat(4)
  expect(beginsAlike(`${long}…`, `${long}Test…`)).toBe(true)
  expect(beginsAlike(`${long}TestB…`, `${long}TestC…`)).toBe(false)
  expect(beginsAlike('go test ./pkg -run A…', 'go test ./pkg -run AB…')).toBe(false)
  expect(beginsAlike(long, `${long}B`)).toBe(false)
})
