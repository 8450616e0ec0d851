/** What `beforeAll` opens, for the tests after it. */
export function there<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('It is there once the tests run')
  return thing
}
