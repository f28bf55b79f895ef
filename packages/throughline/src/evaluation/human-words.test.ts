import { describe, expect, it } from 'vitest'
import { handMade, human, logOf, answers, calls, says } from './testing/hand-made.ts'
import { humanSentences, humanWordsIn } from './human-words.ts'
import { reReadsAfter, reReadsIn } from './measure.ts'

describe('human words', () => {
  const log = logOf([
    human('Never push to main. Is it clear?\n```\nconst a = 1\n```\nok'),
    says('I never push to any branch at all.'),
  ])

  it('are what the human told, neither questions nor code nor the words of others', () => {
    expect(humanSentences(log)).toEqual(['Never push to main.'])
  })

  it('are not what a program printed, nor a heading', () => {
    const pasted = [
      'Look at this log.',
      'Feb 8 21:51:50.731 |INFO| stop hook of the agent',
      'smoke_test.go:87: the smoke test was skipped',
      'stop hook=stop component=hooks agent=a model=b and more words',
      '### 1. What is found here',
      'It should say x=1.',
    ]
    const said = humanSentences(logOf([human(pasted.join('\n')), says('I see.')]))
    expect(said).toEqual(['Look at this log.', 'It should say x=1.'])
  })

  it('stand word for word, however they are quoted, and are missed where they are told anew', () => {
    const sentences = humanSentences(log)
    expect(humanWordsIn(sentences, '> Never push\n> to main.')).toEqual({ said: 1, held: 1 })
    expect(humanWordsIn(sentences, 'The main branch is never pushed to.').held).toBe(0)
  })
})

describe('files that are read again after a cut', () => {
  const line = 'export const answer = fortyTwo()'
  const session = handMade([
    calls('Read', { file_path: 'a.ts' }, '1'),
    answers(line, '1'),
    calls('Read', { file_path: 'b.ts' }, '2'),
    answers('export const question = unknown()', '2'),
    calls('Read', { file_path: 'a.ts' }, '3'),
    answers(line, '3'),
    calls('Read', { file_path: 'c.ts' }, '4'),
  ])

  it('are those that were read before it, and spared where their content is kept', () => {
    const again = reReadsAfter(session, { size: 0, length: 4 })
    expect([...again.keys()]).toEqual(['a.ts'])
    expect(reReadsIn(again, `1→${line}`)).toEqual({ again: 1, spared: 1 })
    expect(reReadsIn(again, 'a.ts holds the answer')).toEqual({ again: 1, spared: 0 })
  })
})
