import { expect, test } from 'vitest'
import { wholeConversation } from './mastra-compaction.ts'

const said = (role: string, text: string) => ({ role, content: [{ type: 'text', text }] })
const newest = [said('user', 'c'), said('assistant', 'd')]
const known = [said('user', 'a'), said('assistant', 'b'), ...newest]

test('a whole history is what it is, also with what is new', () => {
  const given = [...known, said('user', 'e')]
  expect(wholeConversation(known, given)).toBe(given)
  expect(wholeConversation([], given)).toBe(given)
})

test('behind a window of the newest messages, what is known before them stays', () => {
  const given = [...newest, said('user', 'e')]
  expect(wholeConversation(known, given)).toEqual([...known, said('user', 'e')])
})

test('without any history, what is given is new', () => {
  expect(wholeConversation(known, [said('user', 'e')])).toEqual([...known, said('user', 'e')])
})

test('a question that is asked again is a new one', () => {
  const again = [said('user', 'c'), said('assistant', 'other')]
  expect(wholeConversation(known, again)).toEqual([...known, ...again])
})
