import { describeStatusListType } from '@vidimus/status-list-testing'
import { RevocationList2020 } from '../revocation-list-2020.js'

/** The complete test of a list type, except for lists created by others, which the kit cannot know. */
describeStatusListType(RevocationList2020, {
  vectors: [
    {
      name: 'the example of the specification, 100 000 entries of which none is set',
      encodedList: 'H4sIAAAAAAAAA-3BMQEAAADCoPVPbQsvoAAAAAAAAAAAAAAAAP4GcwM92tQwAAA',
      entries: [],
      othersAreZero: true,
    },
    {
      name: 'a fixture of walt.id (zlib, standard base64)',
      encodedList: 'eJztzgENAAAIA6BHs38qY9xNSEACv0w7AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJy0xNEAQQ==',
      entries: [
        [6048, 0],
        [6049, 1],
        [6050, 0],
      ],
    },
  ],
})
