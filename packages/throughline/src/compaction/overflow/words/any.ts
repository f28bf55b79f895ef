// Fewer signs than a line between them: what is too long, and what it is too long for.
const too =
  /(?:\b(?:inputs?|prompts?|conversation|context|history|messages|tokens) [^\n]{0,100}?|\b)(?:exceed(?:s|ed|ing)?|too (?:long|large|big|many)|(?:longer|greater|larger|more) than|over|above|beyond|reached|full)\b/i
const bound =
  /\b(?:context[ _-](?:window|length|size|limit)|(?:maximum|model) context|(?:input|prompt|sequence) (?:length|limit|tokens?)|token (?:limit|count)|n_ctx|max_(?:model|seq)_len)\b/i
const codes =
  /\b(?:tokens_limit_reached|token_quantity_exceeded|max_prompt_tokens_exceeded|(?:model_)?context_(?:window|size|limit)_exceeded|(?:input|prompt|context)_too_long)\b/i

/** What an answer may hold, a picture and a count of things are other matters. */
const otherBounds =
  /\bmax(?:imum)?[ _]?(?:(?:completion|output|new)[ _]?)?tokens\b|\b(?:output|completion)[ _]tokens?\b|\bimages?\b|\bpixels\b|\bquota\b|\barray too long\b/i

/**
 * Whether words that no table has say that a context is too long: providers are more than tables hold,
 * and one compaction too many costs less than a session that cannot go on. No number is read out of
 * them, for nobody knows what it counts.
 */
export function saysTooLong(text: string): boolean {
  if (codes.test(text)) return true
  return text
    .split('\n')
    .some((line) => bound.test(line) && too.test(line) && !otherBounds.test(line))
}
