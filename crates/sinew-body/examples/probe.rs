//! probe
#![allow(missing_docs, clippy::all, clippy::pedantic)]
use sinew_body::shapes::*; use sinew_body::survey::*; use sinew_body::pose::*; use sinew_body::*; use std::fmt::Write;
fn obj(b:&Body, m:&body::BodyMesh, path:&str){ let mut m=m.clone(); b.evaluate_into(&mut m); let mut t=String::new();
 for p in &m.positions{let _=writeln!(t,"v {} {} {}",p.x,p.y,p.z);} for n in &m.normals{let _=writeln!(t,"vn {} {} {}",n.x,n.y,n.z);} 
 for f in &m.triangles{let _=writeln!(t,"f {0}//{0} {1}//{1} {2}//{2}",f[0]+1,f[1]+1,f[2]+1);} std::fs::write(path,t).unwrap(); }
fn main(){
 let maker=ShapeMaker::human(); let out="/tmp/head/o";
 std::fs::create_dir_all(out).unwrap();
 let who:Vec<String>=std::env::args().skip(1).collect();
 let usual=|sex,years|Wanted::usual(sex,years,|_|None);
 let mut heavy=usual(Sex::Male,45.0); heavy.given=vec![(Measure::Stature,1.78),(Measure::Weight,130.0)];
 let mut strong=usual(Sex::Male,28.0); strong.build.muscle=1.0; strong.given=vec![(Measure::Stature,1.8),(Measure::Weight,100.0)];
 let rnd=|s|random_person(&mut sinew_geometry::Random::new(s),None,None).1;
 for (n,w) in [("man",Wanted::average(Sex::Male)),("woman",Wanted::average(Sex::Female)),("child",usual(Sex::Male,4.0)),("old",usual(Sex::Female,78.0)),("heavy",heavy),("strong",strong),("r1",rnd(1)),("r2",rnd(2)),("r3",rnd(3)),("r4",rnd(4))] {
  if !who.iter().any(|x|x==n) {continue;}
  let m=maker.make(&w).unwrap(); let mesh=m.body.tessellate(8); 
  let sk=m.body.joints.iter().find(|j|j.name=="skull").unwrap().position; let st=m.body.stature();
  let neck=m.body.tubes.iter().find(|t|t.name=="neck").unwrap();
  println!("{n} {:.4} {:.4} verts {} folds {:?} necklen {:.4}", sk.y+0.05*st/1.75, st/1.75, mesh.positions.len(), m.body.folds().iter().filter(|f|f.group=="head"||f.group=="neck").map(|f|format!("{} {:.2}",f.name(),f.cosine)).collect::<Vec<_>>(), neck.stations[0].ring.frame.center.distance(neck.stations[1].ring.frame.center));
  for r in m.all_readings(){ let name=r.0.name(); if ["neck","head","face","tragion"].iter().any(|x|name.contains(x)) { print!(" {name} {:.4}", r.1); } } println!();
  obj(&m.body,&mesh,&format!("{out}/{n}.obj"));
  let mut posed=PosedBody::new(m.body.clone());
  for (k,h,nk) in [("fwd",(30f64,0f64,0f64),(25f64,0f64,0f64)),("back",(-30.,0.,0.),(-25.,0.,0.)),("twist",(0.,50.,0.),(0.,25.,0.)),("tilt",(0.,0.,20.),(0.,0.,20.))] {
   let mut pose=BodyPose::rest(posed.figure());
   for (b,a) in [("head",h),("neck",nk)] { let i=posed.figure().find(b,Flank::Middle).unwrap(); pose.set_joint(posed.figure(),i,&JointPose{bend_rad:a.0.to_radians(),twist_rad:a.1.to_radians(),aside_rad:a.2.to_radians()}); }
   posed.set(&pose); obj(posed.body(),&mesh,&format!("{out}/{n}-{k}.obj"));
   let c=posed.body().check(5); println!("  {k} jump {:.1e} gap {:.1e} vol {:.4}% folds {:?}",c.jump_deg,c.gap_m,100.*(posed.body().volume()/m.body.volume()-1.), posed.body().folds().iter().filter(|f|f.group=="head"||f.group=="neck").map(|f|format!("{} {:.2}",f.name(),f.cosine)).collect::<Vec<_>>());
  }
 }
}
