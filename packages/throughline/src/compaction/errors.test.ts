import { describe, expect, it } from 'vitest'
import { modelTokens } from '../tokens/units.ts'
import { ContextFloorError, type Floor } from './errors.ts'

const floor = (own: Partial<Record<keyof Floor, number>>): Floor => ({
  system: modelTokens(own.system ?? 0),
  tools: modelTokens(own.tools ?? 0),
  pins: modelTokens(own.pins ?? 0),
  rules: modelTokens(own.rules ?? 0),
  request: modelTokens(own.request ?? 0),
  total: modelTokens(own.total ?? 0),
})
const error = (own: Partial<Record<keyof Floor, number>>): ContextFloorError =>
  new ContextFloorError({
    floor: floor(own),
    limit: modelTokens(6_000),
    window: modelTokens(8_000),
  })

describe('what says that a context cannot fit', () => {
  it('names what fills the window, the largest part first, and no part that is nothing', () => {
    const { message, observations } = error({ system: 1_000, tools: 5_000, pins: 20, total: 7_020 })
    expect(message).toContain('the tools 5,000, the system prompt 1,000, pins 20)')
    expect(message).toContain('7,020')
    expect(message).toContain('6,000')
    expect(message).toContain('8,000')
    expect(message).toMatch(/larger window, or shorten the part that is named first\.$/)
    expect(message).not.toContain('rules')
    expect(observations).toEqual([])
  })

  it('names rules and the newest message too', () => {
    const { message } = error({ rules: 10, request: 9_000, total: 9_010 })
    expect(message).toContain('the newest human message 9,000, rules 10)')
  })

  it('names nothing where nothing is known', () => {
    const { message } = error({ total: 9_000 })
    expect(message).not.toContain('(')
    expect(message).toMatch(/larger window\.$/)
  })
})
