// Stands in for two parts of Prisma's command line that nothing here starts, its database server and its studio: they
// bring 80 packages. The command line loads them at its start and uses neither to generate or migrate.
module.exports = {};
