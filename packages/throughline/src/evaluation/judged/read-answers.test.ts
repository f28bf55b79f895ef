import { describe, expect, it } from 'vitest'
import { answersIn, gradesIn, questionsIn, UnreadableAnswerError } from './read-answers.ts'

const thrownBy = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (error) {
    return error
  }
}

describe('what a model answers in an exam', () => {
  it('is read whatever it says around its array', () => {
    const text =
      'Here you are:\n```json\n[{"question": "Which?", "answer": "This."}, {"question": 1}]\n```'
    expect(questionsIn(text)).toEqual([{ question: 'Which?', answer: 'This.' }])
    expect(answersIn('["one", 2]', 2)).toEqual(['one', '2'])
    expect(gradesIn('["Right", "wrong", "maybe"]', 3)).toEqual(['right', 'wrong', 'wrong'])
  })

  it.each(['', 'No.', '{"a": 1}', '[1', '["only one"]'])('is refused where it is %j', (text) => {
    const error = thrownBy(() => answersIn(text, 2))
    expect(UnreadableAnswerError.isInstance(error)).toBe(true)
  })
})
