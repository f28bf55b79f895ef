import { expect, it } from 'vitest'
import { usableTokens } from '../../tokens/window.ts'
import { reservedByOpencode } from './sessions.ts'

it.each([
  // What opencode 1.18 fills before it compacts.
  [{ context: 100_000, output: 3_000 }, 97_000],
  [{ context: 200_000, output: 64_000 }, 168_000],
  [{ context: 100_000 }, 68_000],
  [{ context: 400_000, input: 272_000, output: 128_000 }, 252_000],
  [{ context: 400_000, input: 272_000, output: 8_000 }, 264_000],
])('leaves as much free of %j as opencode, and no more', (window, usable) => {
  expect(usableTokens(window, reservedByOpencode(window))).toBe(usable)
})
