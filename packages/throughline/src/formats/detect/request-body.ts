import { fieldsOf, type Fields } from '../../json/fields.ts'

/** The request in a log record: the record itself, or a field with a usual name. */
export function requestIn(
  record: Fields,
  isRequest: (body: Fields) => boolean,
): Fields | undefined {
  return bodyIn(record, ['request', 'body', 'input', 'params', 'options'], isRequest)
}

/** The answer in a log record: the record itself, or a field with a usual name. */
export function answerIn(record: Fields, isAnswer: (body: Fields) => boolean): Fields | undefined {
  return bodyIn(record, ['response', 'completion', 'output', 'body'], isAnswer)
}

function bodyIn(
  record: Fields,
  names: readonly string[],
  isBody: (body: Fields) => boolean,
): Fields | undefined {
  if (isBody(record)) return record
  for (const name of names) {
    const inner = fieldsOf(record[name])
    if (inner && isBody(inner)) return inner
    const body = fieldsOf(inner?.['body'])
    if (body && isBody(body)) return body
  }
  return undefined
}

/** The messages of a request: some logs call them its input, whatever the API. */
export function messagesIn(body: Fields): readonly unknown[] | undefined {
  const { messages, input } = body
  if (Array.isArray(messages)) return messages
  return Array.isArray(input) ? input : undefined
}

export function holdsMessages(body: Fields): boolean {
  return messagesIn(body) !== undefined
}
