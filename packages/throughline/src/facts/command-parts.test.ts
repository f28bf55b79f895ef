import { describe, expect, test } from 'vitest'
import { covers, readCore, readPart } from './command-parts.ts'

describe('a success covers what failed', () => {
  test.each([
    ['npm test', 'npm test'],
    ['npm test', 'npm test -- src/parser.test.ts'],
    ['mise run test', 'go test ./cmd/... -run TestCarryForward -v'],
    ['mise run test:ci', 'go test -v -race -run TestFind ./cmd/cli/strategy/'],
    ['go test ./...', 'go test ./pkg/syncer -run TestBootstrap'],
    ['git commit', 'git commit -m x'],
  ])('%s: %s', (success, failed) => {
    expect(covers(readPart(success), readCore(failed))).toBe(true)
  })

  test.each([
    ['npm test -- src/parser.test.ts', 'npm test'],
    ['npm test', 'npm run test:integration'],
    ['mise run test', 'mise run lint'],
    ['go test ./pkg/auth', 'go test ./pkg/syncer'],
    ['npm run build', 'npm test'],
  ])('but %s says nothing of %s', (success, failed) => {
    expect(covers(readPart(success), readCore(failed))).toBe(false)
  })
})
