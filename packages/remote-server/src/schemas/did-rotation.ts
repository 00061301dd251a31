import { DIDRotation, mayCost } from '@vidimus/core-types/schemas'
import { exampleDid } from './did.js'

export const Rotation = DIDRotation.extend(mayCost).meta({ id: 'DIDRotation' })

export const exampleRotation = {
  did: exampleDid,
  state: 'waiting',
  key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  kms: 'local',
  formerKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  signedLists: 3,
  startedAt: '2026-01-31T09:30:00.000Z',
  signsSince: '2026-01-31T09:30:01.000Z',
  gracePeriod: 'P90D',
  removesAt: '2026-05-01T09:30:01.000Z',
}
