import { describe, expect, test } from 'vitest'
import { factsOf } from '../facts-of.ts'
import { human, logFrom } from '../../testing/generate/build.ts'
import { withoutHandedOn } from './pasted.ts'

function rulesIn(words: string): string[] {
  return factsOf(logFrom([human(words)])).rules.map(({ text }) => text)
}

describe('what the human hands on is not their rule, and is quoted', () => {
  test.each([
    '<doc>\nAlways deploy on Friday.\nNever test.\n</doc>\nSummarize the doc. Never push.',
    'Mail from the customer:\n\nHi,\nplease always send invoices as PDF. Never send them on Sundays.\n\nRegards, Tom\n\nDraft an answer. Never push.',
    'Never push. Here is what the linter prints:\nNever use var.\nAlways return await.\n\nFix these.',
    'The reviewer wrote:\nAlways use tabs.\n\nNever push.',
    'Il m’a écrit hier :\n\n« Madame,\nNe touchez jamais au parquet.\nToujours payer avant le 5. »\n\nNever push.',
    '“Always pay early.\nNever call me.” That is what Sheila wants. Never push.',
    'Chegou isto:\n\nDe: Lins <lins@ascensores.example>\nAssunto: Orçamento\n\nPrezado Sr. Moacir,\nNunca efetue reparos.\n\nAtenciosamente,\nRogério Lins\n\nNever push.',
    'Priya sent me this:\n\nHi Marta,\nalways round to thousands. Never share the file.\nThx, Priya\n\nNever push.',
  ])('%s', (words) => {
    const facts = factsOf(logFrom([human(words)]))
    expect(facts.rules.map(({ text }) => text)).toEqual(['Never push.'])
    expect(facts.quoted?.length).toBeGreaterThan(0)
    expect(facts.requests[0]?.text).toBe(words)
  })

  test.each([
    '<rules>\nNever push.\n</rules>\nFix the lexer.',
    'Please follow these in your output:\nNever push.',
    'Three rules:\n- Never push.',
    'I said:\nNever push.',
    '<doc>\nNever push.',
    'Hi Claude,\n\nNever push.\n\nThanks,\nTom',
    'Some rules.\n\nAlso,\nNever push.',
    '"Fix the lexer.\nNever push."',
    'The title is "Notes.\nNever push.',
    'It prints "a\n```\nx"\n```\nNever push.',
  ])('their own demands stay: %s', (words) => {
    expect(rulesIn(words)).toEqual(['Never push.'])
  })

  test('what stands between quotation marks in one line is another person’s', () => {
    const words = 'Der ADAC schreibt: „Nie ohne Licht. Immer mit Weste." Never push.'
    expect(rulesIn(words)).toEqual(['Never push.'])
  })

  test('nothing is in none of both', () => {
    const words = 'Log:\n\na\nb\n\nc\n\n<x>\nd\n</x>\ne'
    const { own, handedOn } = withoutHandedOn(words)
    const lines = [...own.split('\n'), ...handedOn.split('\n')].filter((line) => line !== '')
    expect(lines.toSorted()).toEqual(
      words
        .split('\n')
        .filter((line) => line !== '')
        .toSorted(),
    )
  })
})
