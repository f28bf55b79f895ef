import { expect, it } from 'vitest'
import { eventReader } from './events.ts'

it('an event is parsed only once those before it have been heard', () => {
  const asked: string[] = []
  let isKnown = false
  const reader = eventReader(true, (text) => {
    asked.push(text)
    return !isKnown
  })
  const events = ['{"a":1}', '{"b":2}', '{"c":3}'].map((json) => `data: ${json}\n\n`).join('')
  const heard: unknown[] = []
  for (const event of reader.read(Buffer.from(events))) {
    heard.push(event)
    isKnown = true
  }
  expect(heard).toEqual([{ a: 1 }])
  expect(asked).toHaveLength(3)
})

it('who hears the first event alone finds the others where it reads on', () => {
  const reader = eventReader(true)
  for (const _ of reader.read(Buffer.from('data: {"a":1}\n\ndata: {"b":2}\n\nda'))) break
  expect([...reader.read(Buffer.from('ta: {"c":3}\n\n'))]).toEqual([{ b: 2 }, { c: 3 }])
  expect(reader.isInside()).toBe(false)
})
