// In the place of `cross-fetch`, whose copy for Node.js would bring modules along that Node.js is about to drop.
export default (...parameters) => fetch(...parameters)
