const WILL = String.raw`I (?:(?:also|just|still|really|definitely|probably|likely|feel like) ){0,3}(?:must|wonder|should|shouldn['’]t|need|want|guess|suppose|hope|plan|ought|intend|can|have to|have the idea|would|will|won['’]t)\b|I['’](?:ll|d)\b|let['’]s\b|it['’]s time to\b`
const WEIGHING = String.raw`\bI['’]m (?:(?:also|still|just) )?(?:wondering|thinking|considering|planning|trying|weighing|debating|drafting|going|deciding|contemplating|pondering|evaluating|focusing|leaning|not sure|unsure|curious)\b|\bI think I\b|\bmy (?:aim|goal|plan|intention|idea|hope|thought|approach) (?:is|was|here)\b`
const FEELING = String.raw`\b(?:it|this|that|which)?(?:['’]s| is| are| was|would be| should be| seems?| sounds?| feels?) (?:also |probably |definitely |like |as if |it['’]s |a |an ){0,2}(?:essential|important|crucial|vital|best|worth|wise|good|okay|right|fine|useful|helpful|beneficial|better|easier|easiest|simpler|nice|necessary|valuable|reasonable|solid|risky|off|odd|weird|strange)\b|\b(?:interesting|fascinating|exciting|rewarding|tricky) (?:how|to|that)\b|\b(?:seems?|sounds?|feels?) (?:like|as if)\b|\b(?:will|would|should) (?:help|ensure|make sure)\b|\bthere['’]s (?:also )?a (?:chance|possibility|thought|mention|bit|lot)\b|\bon my list\b|\bmakes? sense to\b`
const ASKED = String.raw`\b(?:the|my|our) task (?:is to|is about|is asking|is expecting|involves|requires|asks)\b|\bthe user (?:(?:also|just|now|then|still|already|has|had) ){0,2}(?:wants|asks|asked|is asking|has asked|said|says|mentioned|would like|specifically|explicitly|has emphasized|emphasized|is (?:pointing out|joking|saying|requesting))\b`

/**
 * Words of somebody who still weighs what might be done: what they want, could or should do, how it
 * feels, and what they were asked, which stands itself.
 */
const WEIGHS = new RegExp(String.raw`\b(?:${WILL})|${WEIGHING}|${FEELING}|${ASKED}`, 'i')

/** Who gives a reason for what may be has found something. */
const MAY_BE =
  /\b(?:could|might|may|maybe|perhaps|hopefully|possibly|probably|potential|potentially)\b(?! (?:not|see)\b)/i

const OPENS = /^\W{0,4}(?:it (?:would|seems|feels|looks like)\b|let me\b|hmm\b)/i

const RESTATES = new RegExp(ASKED, 'i')

/** Whether a sentence only says again what was asked for, which stands in its own words. */
export function restates(text: string): boolean {
  return RESTATES.test(text.slice(0, BEGINNING))
}

/** How much of a sentence is read for what it is. */
const BEGINNING = 200

/**
 * Whether a sentence of readable thinking only weighs what might be done, asks itself something, or
 * cheers itself up. What it found out, it says without these words.
 */
export function muses(text: string, givesReason: boolean): boolean {
  const begin = text.slice(0, BEGINNING)
  if (OPENS.test(begin) || WEIGHS.test(begin)) return true
  return (!givesReason && MAY_BE.test(begin)) || /[?？]["'”’)]?\s{0,3}$/.test(text.slice(-6))
}

/** A line of code that stands in thinking without a fence says nothing alone. */
export function isLineOfCode(text: string): boolean {
  return /[{};]\s{0,3}$/.test(text.slice(-5))
}

const DIAGRAM =
  /^\s{0,12}(?:participant \w|actor \w|note (?:over|right of|left of) \w|sequenceDiagram\b|(?:de)?activate \w{1,30}\s*$|[\w ]{1,40}(?:-->>|->>|-->|==>|--x)[+-]?[|\w\s][^.]{0,200}$)/i

/** A line of a drawing in words, as Mermaid has it, says nothing without the others. */
export function isLineOfDiagram(text: string): boolean {
  return DIAGRAM.test(text.slice(0, 300))
}

/** `It's a bit complex!` */
export function cheers(text: string): boolean {
  return /!\s{0,3}$/.test(text.slice(-5))
}
