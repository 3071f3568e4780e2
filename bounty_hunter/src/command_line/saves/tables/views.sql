-- An object: each entity that has a place.
CREATE VIEW objects AS
SELECT transform.entity, game_object.kind, ecs_from_prefab.prefab, transform.pose_position_0 AS x_m, transform.pose_position_1 AS y_m,
    transform.pose_heading AS heading_rad, life.is_alive, respawn.left_seconds AS respawns_in_seconds
FROM transform
LEFT JOIN game_object USING (entity)
LEFT JOIN ecs_from_prefab USING (entity)
LEFT JOIN life USING (entity)
LEFT JOIN respawn USING (entity);

-- A player, with the ship and the stash.
CREATE VIEW players AS
SELECT resource_players.row AS player, resource_players.name, resource_players.collector, resource_players.stash AS stash,
    ship.x_m, ship.y_m, ship.is_alive, ship.respawns_in_seconds, pocket.carried, pocket.links AS chain, pocket_capacity.points AS pocket_capacity,
    stash.stashed, stash_capacity.points AS stash_capacity, home.x_m AS stash_x_m, home.y_m AS stash_y_m,
    ghost.left_seconds AS ghost_left_seconds
FROM resource_players
LEFT JOIN objects AS ship ON ship.entity = resource_players.collector
LEFT JOIN pocket ON pocket.entity = resource_players.collector
LEFT JOIN capacity AS pocket_capacity ON pocket_capacity.entity = resource_players.collector
LEFT JOIN stash ON stash.entity = resource_players.stash
LEFT JOIN capacity AS stash_capacity ON stash_capacity.entity = resource_players.stash
LEFT JOIN objects AS home ON home.entity = resource_players.stash
LEFT JOIN ghost ON ghost.entity = resource_players.collector;

-- A bounty, with its place. What it is worth grows and fades between 0 and 1.
CREATE VIEW bounties AS
SELECT bounty.entity, bounty.value, bounty.worth, objects.x_m, objects.y_m, objects.is_alive, lifetime.left_seconds
FROM bounty
LEFT JOIN objects USING (entity)
LEFT JOIN lifetime USING (entity);
