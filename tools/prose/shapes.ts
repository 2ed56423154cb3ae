/** A sentence shape that a native writer avoids, with its replacement. */
export interface SentenceShape {
  readonly instead: string;
  readonly pattern: RegExp;
}

const verbs =
  'is|are|was|were|has|have|had|can|must|does|did|happens|happened|comes|came|needs|goes|stands|arrives|decides';

/** Only the first shape that matches a line is reported, so a line counts once. */
export const shapes: readonly SentenceShape[] = [
  {
    instead: 'name the thing instead of "what …"',
    pattern: new RegExp(
      `\\b[Ww]hat (?:${verbs}|it|they|the|a|an|no|only|all|each|every|one|this|these|that)\\b`,
    ),
  },
  { instead: 'write the owner\'s name instead of "that of"', pattern: /\b(?:that|those) of\b/ },
  {
    instead: 'put the preposition at the end, or split',
    pattern: /\b(?:of|in|on|with|to|by|over|before|after|from|for) (?:which|whom|whose)\b/,
  },
  { instead: 'write "is not a"', pattern: /\b(?:is|are|was|were|be) no (?!longer|more|one\b)[a-z]/ },
  {
    instead: 'write "calls", "accepts", "rejects"',
    pattern: /\b(?:is|are|was|were|be|been|gets?) (?:told|asked|said|given|taken|held|looked)\b/,
  },
  { instead: 'write the quantity', pattern: /\bso (?:many|much|long|few)\b/ },
  {
    instead: 'write "its own", "on its own"',
    pattern: /\b(?:of (?:its|their|his|our|your) own|by (?:itself|themselves))\b/,
  },
  {
    instead: 'write "anyway", "next to", "except"',
    pattern: /\b(?:all the same|besides? (?:it|the|them|what)|at hand|in place of|but for|in spite of)\b/,
  },
  {
    instead: 'write "if you" or name the person',
    pattern: /\bfor who\b|\bwho (?:knows|changes|has|was|is|gives)\b|(?:^|[.;:] |\/\*\* )Who(?:ever)? /,
  },
  {
    instead: '"where" is a place: write "if" or "when"',
    pattern: /\b[Ww]here (?:one|it|there|an?|the|no|nothing|none|something|that|they|its)\b/,
  },
  { instead: 'write "also", or nothing', pattern: /, too(?:[,.;:)]|$)/ },
  { instead: 'write "string" or "message"', pattern: /\b(?:texts|a text|the text of|sentences?|words of)\b/ },
  {
    instead: 'name the subject',
    pattern:
      /\b(?:Told|Made|Put|Asked|Read|Held|Known|Written|Compared|Checked|Called|Loaded|Counted) (?:once|by|when|where|together|for|at|with|to|without|from)\b/,
  },
];
