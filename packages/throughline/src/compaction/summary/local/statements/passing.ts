/** What was checked, or where the work was kept. */
const CHECKED = String.raw`(?:tests?|checks?|suites?|lint(?:er|ing)?|builds?|compil(?:ation|e|es|ing)|CI(?: pipeline)?|pipeline|type-?check\w{0,3}|(?:working |work)?tree|branch|code|paths|everything|run|changes)`
const PASSES = String.raw`(?:pass(?:es|ed)?|passing|(?:now |all |still |fully |both )?(?:green|clean|committed|pushed|complete|finished|done)|clean(?:ly)?|succeed(?:s|ed)?|compiles?)`

/** Everything passes, or is committed: so it was when it was said. */
const PASSED = new RegExp(
  String.raw`^\W{0,4}(?:(?:done|good|great|perfect|excellent|ok(?:ay)?|yes)[.!,: —–-]{1,3})?(?:[^.;:!?]{0,60}\b)?${CHECKED}\b(?:[^.;:!?]{0,40}?\b)?(?:is |are |was |were |has |have |been ){0,3}${PASSES}\b[^.;:!?]{0,40}[.!]?\s{0,3}$`,
  'i',
)
const KEPT =
  /^\W{0,4}(?:(?:all|both|everything|now|and|is|are|has been|have been) ){0,3}(?:committed|pushed|saved|done|posted|clean|green|merged|comment posted|replied)\b[^.;:`!?]{0,60}[.!]?\s{0,3}$/i

/** It goes on, as it did when this was said. */
const GOES_ON =
  /\b(?:in flight|in progress|still (?:running|compiling|building|going|in its|in the middle)|(?:is|are) (?:still )?(?:running|compiling|building) now|(?:^\W{0,4}|still |just )waiting (?:for|on)|I['’]m (?:\w{1,12} )?(?:monitoring|waiting|watching))\b/i

/** Somebody knows enough now, or has done a part: of what, it does not say. */
const KNOWS_ENOUGH =
  /^\W{0,4}(?:(?:good|ok(?:ay)?|great|perfect|now|so)[.!,: —–-]{1,3})?I(?:['’]ve| have)(?: now| already| just| finally){0,2} (?:(?:got )?enough\b|(?:finished|completed|done|wrapped up|gathered|collected|seen|reviewed|read|mapped|verified|confirmed) (?:the|my|all|both|that|this|everything)\b)(?!.*\b(?:is|are|was|were|has|does|do|can|will|must)(?:n['’]t)?\b)[^:;`\d]{0,100}$/i

const ELSEWHERE =
  /^[^\p{L}]{0,4}(?:alle? (?:tests?|prüfungen) (?:sind grün|bestanden|laufen)|todos? (?:los|os) test(?:e?s)? (?:pasan|passam|passaram)|tous les tests passent|все тесты (?:проходят|прошли)|tất cả (?:các )?(?:bài )?(?:kiểm thử|test) (?:đều )?(?:đạt|qua)|(?:所有|全部)测试(?:都|均)?(?:已)?通过|(?:すべて|全て)のテスト(?:が|は)?(?:通|成功|パス))[^.;:!?。]{0,40}[.!。]?\s{0,3}$/iu

/** A longer sentence says more. */
const LONGEST = 160

/**
 * Whether a sentence says no more than how things stood just then: the tests pass, all is committed,
 * a build is running. Where the work stands now is told by what was run last.
 */
export function isPassing(text: string): boolean {
  if (text.length > LONGEST) return false
  return (
    PASSED.test(text) ||
    KEPT.test(text) ||
    GOES_ON.test(text) ||
    KNOWS_ENOUGH.test(text) ||
    ELSEWHERE.test(text)
  )
}
